package dev.reflector.integration;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.reflector.fixture.ClassArchive;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A collection of 80 MB is mirrored by a JVM with 64 MB, because only the declared fields
 * are ever held. By default, {@code BigListTests} of the client read a list that is
 * larger than the heap.
 */
@LongFormOnly
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SmallHeapIntegrationTests {

	private static final int OBJECTS = 5_000;

	private static final int BYTES = 80_000_000;

	@ParameterizedTest
	@ValueSource(strings = { "list", "stream" })
	void manyLargeObjectsFitIntoASmallHeap(String initialList) throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			String padding = "x".repeat(BYTES / OBJECTS);
			IntStream.range(0, OBJECTS)
				.forEach((i) -> server.resources("widgets")
					.create(Map.of("metadata", Map.of("name", "w" + i), "spec",
							Map.of("size", i, "padding", padding))));
			Path java = Path.of(System.getProperty("java.home"), "bin", "java");
			List<String> command = new ArrayList<>(List.of(java.toString(), "-Xmx64m", "-XX:+ExitOnOutOfMemoryError",
					"--enable-native-access=ALL-UNNAMED"));
			command.addAll(ClassArchive.of(DurableProcess::train).options());
			command
				.addAll(List.of(Main.class.getName(), server.url().toString(), initialList, Integer.toString(OBJECTS)));
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			String output = new String(process.getInputStream().readAllBytes());
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
			assertThat(output).contains("mirrored " + OBJECTS);
			assertThat(process.exitValue()).as(output).isZero();
		}
	}

	/** The application with little memory. */
	static final class Main {

		public static void main(String[] args) {
			try (MirrorApplication application = MirrorApplication.start("reflector.api-server.url=" + args[0],
					"reflector.watch.initial-list=" + args[1])) {
				await().atMost(java.time.Duration.ofSeconds(120)).until(application.reflector::hasSynced);
				// all objects were delivered, and the heap must also suffice for a second
				// full list
				int objects = Integer.parseInt(args[2]);
				await().atMost(java.time.Duration.ofSeconds(120))
					.until(() -> application.heard.folded().size() == objects);
				application.reflector.relist();
				await().atMost(java.time.Duration.ofSeconds(120))
					.until(() -> application.reflector.status().counts().relists() == 1);
				System.out.println("mirrored " + application.widgets.size());
			}
		}

	}

}
