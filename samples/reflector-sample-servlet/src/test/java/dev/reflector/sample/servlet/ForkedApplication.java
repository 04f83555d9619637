package dev.reflector.sample.servlet;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The application in a separate process, with the class path of the tests.
 */
final class ForkedApplication implements AutoCloseable {

	private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+) ");

	private final Process process;

	private final Path log;

	private ForkedApplication(Process process, Path log) {
		this.process = process;
		this.log = log;
	}

	static ForkedApplication start(Path log, String option, String classPath, String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		// it lives for a moment
		command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+UnlockDiagnosticVMOptions",
				"-XX:-BytecodeVerificationRemote"));
		command.addAll(List.of(option, "-cp", classPath, ServletApplication.class.getName(), "--server.port=0"));
		command.addAll(List.of(arguments));
		return new ForkedApplication(
				new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start(), log);
	}

	static String classPath(Predicate<String> entries) {
		return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter(entries)
			.collect(Collectors.joining(File.pathSeparator));
	}

	/** Waits for a number of starts in this process, and returns the last address. */
	URI awaitStarted(int times) {
		await().atMost(120, TimeUnit.SECONDS).untilAsserted(() -> assertThat(ports()).hasSize(times));
		return URI.create("http://127.0.0.1:" + ports().get(times - 1));
	}

	private List<String> ports() {
		try {
			return PORT.matcher(log()).results().map((result) -> result.group(1)).toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	String log() throws IOException {
		return Files.readString(this.log);
	}

	void end() throws InterruptedException {
		this.process.destroy();
		assertThat(this.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
	}

	@Override
	public void close() {
		this.process.destroyForcibly();
	}

}
