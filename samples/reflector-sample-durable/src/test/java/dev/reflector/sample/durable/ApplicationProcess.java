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

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application in a process of its own, which works in a folder and can be killed.
 */
final class ApplicationProcess implements AutoCloseable {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+) ");

	private static final Pattern EVENT = Pattern.compile("Written: Resource(\\w+)Event\\[widgets default/(\\w+) ");

	private final Process process;

	private final Path log;

	private ApplicationProcess(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	static ApplicationProcess start(Path folder, String log, URI server) throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		// it lives for a moment
		List<String> command = List.of(java.toString(), "--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1",
				"-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), DurableApplication.class.getName(),
				"--server.port=0", "--reflector.api-server.url=" + server);
		Path file = folder.resolve(log);
		return new ApplicationProcess(new ProcessBuilder(command).directory(folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(file.toFile())
			.start(), file);
	}

	/** Waits for the line that says that the application has started. */
	void awaitStarted() {
		Awaitility.await().untilAsserted(() -> assertThat(log()).contains("Started DurableApplication"));
	}

	/** The table, as the application shows it. */
	String table() throws IOException, InterruptedException {
		String port = PORT.matcher(log()).results().findFirst().orElseThrow().group(1);
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/widgets")).build();
		return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
	}

	/** What the listener has written, such as {@code Added a}. */
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

	/** As {@code kill -9} does it. */
	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
