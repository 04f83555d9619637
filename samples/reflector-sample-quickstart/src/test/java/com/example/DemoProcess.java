package com.example;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import dev.reflector.test.EmbeddedApiServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The application of the quick start in a separate process, with its output.
 */
final class DemoProcess implements AutoCloseable {

	private final Process process;

	private final BufferedReader output;

	private final Thread reader;

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private DemoProcess(Process process) {
		this.process = process;
		this.output = process.inputReader();
		this.reader = new Thread(() -> this.output.lines().forEach(this.lines::add), "output");
		this.reader.start();
	}

	/**
	 * Starts it.
	 * @param main the application, or {@link DemoStarts}
	 */
	static DemoProcess start(Class<?> main, String classPath, List<String> jvmOptions, EmbeddedApiServer server,
			String... arguments) throws IOException {
		Path java = Path.of(System.getProperty("java.home"), "bin", "java");
		// it lives for a moment
		List<String> command = new ArrayList<>(List.of(java.toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
				"-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
		command.addAll(jvmOptions);
		command.addAll(List.of("-cp", classPath, main.getName(), "--server.port=0",
				"--reflector.api-server.url=" + server.url()));
		command.addAll(List.of(arguments));
		return new DemoProcess(new ProcessBuilder(command).redirectErrorStream(true).start());
	}

	/** Makes {@link DemoStarts} start the application again. */
	void startAgain(EmbeddedApiServer server, String... arguments) throws IOException {
		Writer input = this.process.outputWriter();
		input.write("--server.port=0 --reflector.api-server.url=" + server.url() + " " + String.join(" ", arguments)
				+ "\n");
		input.flush();
	}

	/** Returns the lines that the process has printed until now. */
	List<String> lines() {
		return List.copyOf(this.lines);
	}

	void awaitLine(String line) {
		await().atMost(120, TimeUnit.SECONDS).untilAsserted(() -> assertThat(this.lines).contains(line));
	}

	/** Waits for a line, and gives the rest of it. */
	String awaitLineThatBeginsWith(String beginning) {
		return await().atMost(120, TimeUnit.SECONDS)
			.until(() -> this.lines.stream().filter((line) -> line.startsWith(beginning)).findFirst(),
					Optional::isPresent)
			.map((line) -> line.substring(beginning.length()))
			.orElseThrow();
	}

	/**
	 * Ends the process, which must still be running, and returns its output.
	 */
	List<String> stop() throws InterruptedException {
		assertThat(this.process.isAlive()).isTrue();
		this.process.destroy();
		assertThat(this.process.waitFor(30, TimeUnit.SECONDS)).isTrue();
		this.reader.join(TimeUnit.SECONDS.toMillis(30));
		return List.copyOf(this.lines);
	}

	@Override
	public void close() throws IOException {
		this.process.destroyForcibly();
		this.output.close();
	}

}
