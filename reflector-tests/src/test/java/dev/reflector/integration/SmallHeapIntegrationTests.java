package dev.reflector.integration;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.fixture.LongForm;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * A collection of 80 MB is mirrored by a JVM with 64 MB, because only the declared fields
 * are ever held.
 */
@Timeout(value = 180, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SmallHeapIntegrationTests {

	private static final int OBJECTS = 10_000;

	static Stream<String> initialLists() {
		return LongForm.some(Stream.of("list", "stream"));
	}

	@ParameterizedTest
	@MethodSource("initialLists")
	void tenThousandLargeObjectsFitIntoASmallHeap(String initialList) throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.start()) {
			String padding = "x".repeat(8_000);
			IntStream.range(0, OBJECTS)
				.forEach((i) -> server.resources("widgets")
					.create(Map.of("metadata", Map.of("name", "w" + i), "spec",
							Map.of("size", i, "padding", padding))));
			Path java = Path.of(System.getProperty("java.home"), "bin", "java");
			Process process = new ProcessBuilder(List.of(java.toString(), "-Xmx64m", "-XX:+ExitOnOutOfMemoryError",
					"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
					Main.class.getName(), server.url().toString(), initialList))
				.redirectErrorStream(true)
				.start();
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
				// all has been delivered, and getting everything again has to fit as well
				await().atMost(java.time.Duration.ofSeconds(120))
					.until(() -> application.heard.folded().size() == OBJECTS);
				application.reflector.relist();
				await().atMost(java.time.Duration.ofSeconds(120))
					.until(() -> application.reflector.status().counts().relists() == 1);
				System.out.println("mirrored " + application.widgets.size());
			}
		}

	}

}
