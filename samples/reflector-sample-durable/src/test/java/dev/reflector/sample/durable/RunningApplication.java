package dev.reflector.sample.durable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

import org.awaitility.Awaitility;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application with a folder for its files. It runs in a separate process, which can
 * be killed, or in the process of the tests.
 */
final class RunningApplication implements AutoCloseable {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+) ");

	private static final Pattern EVENT = Pattern.compile("Written: Resource(\\w+)Event\\[widgets default/(\\w+) ");

	private final HttpClient http = HttpClient.newHttpClient();

	private final Runnable end;

	private final Path log;

	private RunningApplication(Path log, Runnable end) {
		this.end = end;
		this.log = log;
	}

	/** Starts the application in a separate process, which ends as by {@code kill -9}. */
	static RunningApplication start(Path folder, String log, URI server) throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		// it lives for a moment
		List<String> command = List.of(java.toString(), "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1",
				"-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), DurableApplication.class.getName(),
				"--server.port=0", "--reflector.api-server.url=" + server);
		Path file = folder.resolve(log);
		Process process = new ProcessBuilder(command).directory(folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(file.toFile())
			.start();
		return new RunningApplication(file, () -> process.destroyForcibly().onExit().join());
	}

	/** Starts the application in this process, which is faster. */
	static RunningApplication startHere(Path folder, String log, URI server) {
		Path file = folder.resolve(log);
		ConfigurableApplicationContext context = new SpringApplicationBuilder(DurableApplication.class)
			.main(DurableApplication.class)
			.run("--server.port=0", "--reflector.api-server.url=" + server, "--logging.file.name=" + file,
					"--spring.datasource.url=jdbc:sqlite:" + folder.resolve("widgets.db"),
					"--reflector.snapshot.jdbc.file=" + folder.resolve("reflectors.db"));
		return new RunningApplication(file, context::close);
	}

	/** Waits for the line that says that the application has started. */
	void awaitStarted() {
		Awaitility.await().untilAsserted(() -> assertThat(log()).contains("Started DurableApplication"));
	}

	/** The table, as the application shows it. */
	String table() throws IOException, InterruptedException {
		String port = PORT.matcher(log()).results().findFirst().orElseThrow().group(1);
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/widgets")).build();
		return this.http.send(request, HttpResponse.BodyHandlers.ofString()).body();
	}

	/** Returns the events that the listener has written, such as {@code Added a}. */
	List<String> written() {
		return EVENT.matcher(log()).results().map((event) -> event.group(1) + " " + event.group(2)).toList();
	}

	String log() {
		try {
			return Files.readString(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() {
		this.end.run();
	}

}
