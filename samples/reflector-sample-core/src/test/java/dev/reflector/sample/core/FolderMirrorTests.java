package dev.reflector.sample.core;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link FolderMirror}: the engine works without Spring, HTTP and Jackson.
 */
@Timeout(120)
class FolderMirrorTests {

	private final BlockingQueue<String> output = new LinkedBlockingQueue<>();

	@Test
	void mirrorsAFolder(@TempDir Path folder) throws Exception {
		Files.writeString(folder.resolve("first"), "1");
		try (PipedOutputStream keyboard = new PipedOutputStream()) {
			PipedInputStream input = new PipedInputStream(keyboard);
			CompletableFuture<Void> program = CompletableFuture.runAsync(() -> run(folder, input));
			assertThat(line()).isEqualTo("ADDED first (1 bytes)");
			assertThat(line()).isEqualTo("The mirror holds 1 files");
			Files.writeString(folder.resolve("second"), "12");
			assertThat(line()).startsWith("ADDED second");
			Files.writeString(folder.resolve("first"), "12345");
			await("UPDATED first (5 bytes)");
			Files.delete(folder.resolve("second"));
			await("DELETED second (2 bytes)");
			keyboard.write('\n');
			keyboard.flush();
			await("Stopped");
			program.get(60, TimeUnit.SECONDS);
		}
		assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
			.noneMatch((name) -> name.startsWith("reflector-folder"));
	}

	private void run(Path folder, PipedInputStream input) {
		try {
			FolderMirror.run(folder, this.output::add, input);
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String line() throws InterruptedException {
		String line = this.output.poll(60, TimeUnit.SECONDS);
		return (line != null) ? line : "nothing more";
	}

	/** A scan may see a file before all of it was written, which is a change more. */
	private void await(String expected) throws InterruptedException {
		String line = line();
		while (!line.equals(expected)) {
			assertThat(line).startsWith("UPDATED");
			line = line();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "org.springframework.core.SpringVersion", "org.springframework.boot.SpringApplication",
			"org.springframework.web.reactive.function.client.WebClient", "io.netty.channel.Channel",
			"reactor.netty.http.client.HttpClient", "org.eclipse.jetty.client.HttpClient",
			"tools.jackson.databind.JsonNode", "com.fasterxml.jackson.databind.JsonNode",
			"dev.reflector.client.ApiServerClient" })
	void needsNone(String type) {
		assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName(type));
	}

}
