package dev.reflector.benchmark.runner;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A process that answers each line with lines of {@code name=value} and a last line
 * {@code end}. It ends when its standard input ends, so it cannot outlive the runner.
 */
final class Worker implements AutoCloseable {

	private static final String END = "end";

	private static final String GONE = "gone";

	private final String name;

	private final Process process;

	private final OutputStream questions;

	private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

	Worker(String name, ProcessBuilder builder) {
		this.name = name;
		try {
			this.process = builder.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.questions = this.process.getOutputStream();
		Thread reader = new Thread(this::read, "answers of " + name);
		reader.setDaemon(true);
		reader.start();
	}

	private void read() {
		try (BufferedReader reader = new BufferedReader(
				new InputStreamReader(this.process.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				this.lines.add(line);
			}
		}
		catch (IOException ex) {
			// it has ended
		}
		this.lines.add(GONE);
	}

	/** Asks without waiting for the answer. */
	void tell(String question) {
		try {
			this.questions.write((question + "\n").getBytes(StandardCharsets.UTF_8));
			this.questions.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(this.name + " has gone", ex);
		}
	}

	Map<String, String> ask(String question, Duration timeout) {
		tell(question);
		return answer(timeout);
	}

	/** The next answer. */
	Map<String, String> answer(Duration timeout) {
		Map<String, String> answer = new LinkedHashMap<>();
		long deadline = System.nanoTime() + timeout.toNanos();
		try {
			while (true) {
				String line = this.lines.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
				if (line == null || line.equals(GONE)) {
					// an answer that comes too late is none to the next question
					kill();
					throw new IllegalStateException(this.name + ((line != null) ? " has gone" : " does not answer"));
				}
				if (line.equals(END)) {
					return answer;
				}
				int equals = line.indexOf('=');
				answer.put(line.substring(0, Math.max(0, equals)), line.substring(equals + 1));
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException("interrupted", ex);
		}
	}

	/** Ends the process at once, as {@code kill -9} does. */
	void kill() {
		this.process.destroyForcibly();
	}

	/** Ends it as it wishes, but not for longer than that. */
	void end(Duration timeout) {
		try {
			this.questions.close();
			this.process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (IOException ex) {
			// it has ended
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		close();
	}

	@Override
	public void close() {
		kill();
		try {
			this.process.waitFor();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
