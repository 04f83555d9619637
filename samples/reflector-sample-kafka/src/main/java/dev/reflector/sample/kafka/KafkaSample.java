package dev.reflector.sample.kafka;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.reflector.sample.kafka.mirror.MirrorApplication;
import dev.reflector.sample.kafka.publisher.PublisherApplication;
import dev.reflector.test.EmbeddedApiServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * Starts an API server and a Kafka broker in this process, and the two applications in
 * separate processes. When this process ends, all of them end.
 */
public final class KafkaSample implements AutoCloseable {

	private static final Logger logger = LoggerFactory.getLogger(KafkaSample.class);

	private final EmbeddedApiServer cluster;

	private final EmbeddedKafkaKraftBroker broker;

	private final List<Process> applications = new ArrayList<>();

	KafkaSample(int port) {
		this.cluster = EmbeddedApiServer.builder().port(port).type("example.com/v1", "Widget", "widgets", true).start();
		this.broker = new EmbeddedKafkaKraftBroker(1, 1);
		this.broker.afterPropertiesSet();
	}

	/**
	 * Starts everything.
	 * @param args arguments of the command line, none
	 * @throws IOException when an application cannot be started
	 */
	public static void main(String[] args) throws IOException {
		KafkaSample sample = new KafkaSample(8001);
		Runtime.getRuntime().addShutdownHook(new Thread(sample::close));
		logger.info("Widgets are at {}/apis/example.com/v1/namespaces/default/widgets", sample.cluster.url());
		sample.publisher();
		sample.mirror("--server.port=8080");
		logger.info("The broker is at {}", sample.broker());
	}

	EmbeddedApiServer cluster() {
		return this.cluster;
	}

	String broker() {
		return this.broker.getBrokersAsString();
	}

	Process publisher(String... properties) throws IOException {
		return launch(PublisherApplication.class, "--reflector.api-server.url=" + this.cluster.url(), properties);
	}

	Process mirror(String... properties) throws IOException {
		return launch(MirrorApplication.class, "--spring.application.name=mirror", properties);
	}

	private Process launch(Class<?> application, String property, String... more) throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
				"-cp", System.getProperty("java.class.path"), application.getName(),
				"--spring.kafka.bootstrap-servers=" + broker(), property));
		command.addAll(List.of(more));
		Process process = new ProcessBuilder(command).inheritIO().start();
		this.applications.add(process);
		return process;
	}

	@Override
	public void close() {
		this.applications.forEach((application) -> application.destroyForcibly().onExit().join());
		this.cluster.close();
		this.broker.destroy();
	}

}
