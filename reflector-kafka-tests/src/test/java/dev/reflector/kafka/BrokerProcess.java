package dev.reflector.kafka;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;
import org.awaitility.Awaitility;

/**
 * A broker in a process of its own, which can be killed and started again with its data.
 */
final class BrokerProcess implements AutoCloseable {

	private final Path folder;

	private final int port;

	private final Path settings;

	private Process process;

	/**
	 * Starts a broker.
	 * @param folder where its data is
	 * @param more further settings, such as {@code log.cleaner.backoff.ms=100}
	 */
	BrokerProcess(Path folder, String... more) throws Exception {
		this.folder = folder;
		this.port = freePort();
		int controller = freePort();
		while (controller == this.port) {
			controller = freePort();
		}
		Path data = folder.resolve("data");
		List<String> lines = new ArrayList<>(List.of("process.roles=broker,controller", "node.id=1",
				"controller.quorum.voters=1@127.0.0.1:" + controller,
				"listeners=PLAINTEXT://127.0.0.1:" + this.port + ",CONTROLLER://127.0.0.1:" + controller,
				"advertised.listeners=PLAINTEXT://127.0.0.1:" + this.port, "controller.listener.names=CONTROLLER",
				"log.dirs=" + data, "offsets.topic.replication.factor=1", "auto.create.topics.enable=false",
				"offsets.topic.num.partitions=1", "num.recovery.threads.per.data.dir=2"));
		lines.addAll(List.of(more));
		this.settings = Files.write(folder.resolve("server.properties"), lines);
		new Formatter().setClusterId(Uuid.randomUuid().toString())
			.setNodeId(1)
			.addDirectory(data.toString())
			.setMetadataLogDirectory(data.toString())
			.setControllerListenerName("CONTROLLER")
			.setPrintStream(System.out)
			.run();
		this.process = launch();
		awaitAnswer();
	}

	/**
	 * A free port of those that no program is given for "any free port", so that it is
	 * still free after the broker was killed.
	 */
	private static int freePort() throws IOException {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
			try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
				return socket.getLocalPort();
			}
			catch (BindException ex) {
				// another one
			}
		}
	}

	private Process launch() throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		return new ProcessBuilder(java.toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
				System.getProperty("java.class.path"), "kafka.Kafka", this.settings.toString())
			.directory(this.folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.folder.resolve("broker.log").toFile()))
			.start();
	}

	String servers() {
		return "127.0.0.1:" + this.port;
	}

	private void awaitAnswer() {
		try (Admin admin = admin()) {
			Awaitility.await().ignoreException(ExecutionException.class).until(() -> {
				if (!this.process.isAlive()) {
					throw new IllegalStateException(log());
				}
				return admin.describeCluster().nodes().get().size() == 1;
			});
		}
	}

	Admin admin() {
		return Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, servers(),
				AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, 10_000, AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG,
				5_000));
	}

	/** As {@code kill -9} does it. */
	void kill() {
		this.process.destroyForcibly().onExit().join();
	}

	/** Starts it again after it was killed. */
	void start() throws IOException {
		this.process = launch();
		awaitAnswer();
	}

	private String log() throws IOException {
		return Files.readString(this.folder.resolve("broker.log"));
	}

	@Override
	public void close() {
		kill();
	}

}
