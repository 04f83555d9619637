package dev.reflector.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

import dev.reflector.ObjectMeta;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads a list that is larger than the heap of a separate JVM.
 */
class BigListTests {

	private static final int ITEMS = 6_000;

	@Test
	void readsAListLargerThanTheHeap() throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Xmx40m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				Main.class.getName())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		assertThat(output).contains(ITEMS + " items");
	}

	static final class Main {

		private Main() {
		}

		public static void main(String[] arguments) throws IOException {
			RawServer.Script script = (request, connection) -> {
				connection.openWatch();
				connection.write("{\"items\":[");
				for (int i = 0; i < ITEMS; i++) {
					connection.write(((i > 0) ? "," : "")
							+ Clients.json("w" + i, i).replace("[1,", "[\"" + "y".repeat(8000) + "\","));
				}
				connection.write("]}");
			};
			try (RawServer server = new RawServer(script)) {
				ListPage<Slim> page = Clients.client(server.uri(), Clients.OPTIONS)
					.listerWatcher(Slim.class, MetadataAccessor.forType(Slim.class), Clients.WIDGETS, "", "")
					.list(Clients.list())
					.block(Duration.ofMinutes(2));
				System.out.println(page.items().size() + " items");
			}
		}

	}

	record Slim(ObjectMeta metadata) {

	}

}
