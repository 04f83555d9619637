package dev.reflector.benchmark.scaling;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The conversation with who has started this process. Everything else that is printed
 * goes to the error output.
 */
final class Lines {

	private final PrintStream answers = System.out;

	private final BufferedReader questions = new BufferedReader(
			new InputStreamReader(System.in, StandardCharsets.UTF_8));

	Lines() {
		System.setOut(System.err);
	}

	/** The next line, {@code null} when who has started this process has gone. */
	@Nullable String next() {
		try {
			return this.questions.readLine();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	void answer(Map<String, ?> values) {
		values.forEach((name, value) -> this.answers.println(name + "=" + value));
		this.answers.println("end");
		this.answers.flush();
	}

}
