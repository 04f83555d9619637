package dev.reflector.integration;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import dev.reflector.event.ResourceEvent;
import dev.reflector.fixture.ClassArchive;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.EmbeddedApiServer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.util.FileSystemUtils;

import static org.awaitility.Awaitility.await;

/**
 * An application with a durable mirror in its own JVM, and the lines that its listener
 * has printed before it returned. The lines are kept here, so that they are known after
 * the application was killed.
 */
final class DurableProcess implements AutoCloseable {

	private static final String EVENT = "event ";

	/** Lines such as {@code ADDED default/a 7}. */
	final List<String> events = new CopyOnWriteArrayList<>();

	private final List<String> output = new CopyOnWriteArrayList<>();

	private final Process process;

	private final Thread reader;

	private DurableProcess(Process process) {
		this.process = process;
		this.reader = new Thread(this::read, "output of " + process.pid());
		this.reader.setDaemon(true);
		this.reader.start();
	}

	/**
	 * Starts one.
	 * @param server the API server
	 * @param place where its snapshot is: a file, or the URL of a database
	 */
	static DurableProcess start(URI server, String place) throws Exception {
		return start(server, place, List.of());
	}

	/**
	 * Starts one with further properties.
	 * @param server the API server
	 * @param place where its snapshot is: a file, or the URL of a database
	 * @param more such as {@code --name=value}
	 */
	static DurableProcess start(URI server, String place, List<String> more) throws Exception {
		return start(ClassArchive.of(DurableProcess::train).options(), server, place, more);
	}

	private static DurableProcess start(List<String> options, URI server, String place, List<String> more)
			throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		List<String> command = new ArrayList<>(
				List.of(java.toString(), "-Xmx128m", "--enable-native-access=ALL-UNNAMED"));
		command.addAll(options);
		command.addAll(List.of(DurableProcess.class.getName(), "--reflector.api-server.url=" + server,
				"--reflector.snapshot.enabled=true",
				place.startsWith("jdbc:") ? "--database=" + place : "--reflector.snapshot.jdbc.file=" + place,
				"--reflector.snapshot.jdbc.initialize-schema=always", "--reflector.events.on-error=stop",
				"--reflector.startup.wait-for-sync=false"));
		command.addAll(more);
		return new DurableProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
	}

	/** Loads its classes: it mirrors a widget, and ends. */
	static void train(List<String> options) throws Exception {
		Path folder = Files.createTempDirectory("reflector-training");
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start();
				DurableProcess process = start(options, server.url(), folder.resolve("mirror.db").toString(),
						List.of())) {
			server.resources("widgets")
				.create(Map.of("metadata", Map.of("name", "a", "namespace", "default"), "spec", Map.of("size", 1)));
			await().atMost(Duration.ofSeconds(180)).until(() -> !process.events.isEmpty());
			process.end();
		}
		finally {
			FileSystemUtils.deleteRecursively(folder);
		}
	}

	private void read() {
		try (BufferedReader lines = this.process.inputReader()) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				this.output.add(line);
				if (line.startsWith(EVENT)) {
					this.events.add(line.substring(EVENT.length()));
				}
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Sends it a signal, such as {@code STOP}. */
	void signal(String name) throws IOException, InterruptedException {
		int status = new ProcessBuilder("kill", "-" + name, Long.toString(this.process.pid())).start().waitFor();
		if (status != 0) {
			throw new IOException("kill -" + name + " has failed with " + status);
		}
	}

	/** As {@code kill -9} does it. */
	void kill() throws InterruptedException {
		// the process itself would close its output
		this.process.toHandle().destroyForcibly();
		this.process.waitFor();
		this.reader.join();
	}

	/** Ends it as an operator does, and waits for the end. */
	void end() throws InterruptedException {
		this.process.toHandle().destroy();
		this.process.waitFor();
		this.reader.join();
	}

	/** The output of the process, to look at after a failure. */
	String output() {
		return String.join("\n", this.output);
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

	public static void main(String[] args) {
		new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.bannerMode(org.springframework.boot.Banner.Mode.OFF)
			.run(args);
	}

	@Configuration(proxyBeanMethods = false)
	@MirrorAutoConfiguration
	@AutoConfigurationPackage
	static class Application {

		@Bean
		@ConditionalOnProperty("database")
		DataSource dataSource(@Value("${database}") String url) {
			return PostgresServer.pool(url);
		}

		private final ObjectProvider<LeaderElector> elector;

		Application(ObjectProvider<LeaderElector> elector) {
			this.elector = elector;
		}

		@EventListener
		void on(ResourceEvent<Widget> event) throws InterruptedException {
			long beganAt = System.nanoTime();
			LeaderElector elector = this.elector.getIfAvailable();
			if (elector == null && Long.parseLong(event.resourceVersion()) % 20 == 0) {
				// time for others to arrive, and to be committed by mistake
				TimeUnit.MILLISECONDS.sleep(200);
			}
			String type = event.getClass()
				.getSimpleName()
				.replace("Resource", "")
				.replace("Event", "")
				.toUpperCase(Locale.ROOT);
			// written before this returns, so before the change can count as completed
			System.out.print(EVENT + type + " " + event.key() + " " + event.resourceVersion()
					+ ((elector != null) ? " " + beganAt + " " + elector.epoch().orElse(-1) : "") + "\n");
			System.out.flush();
		}

	}

}
