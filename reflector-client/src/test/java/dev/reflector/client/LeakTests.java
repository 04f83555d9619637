package dev.reflector.client;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.reflector.cache.source.WatchOptions;
import dev.reflector.client.fixture.Clients;
import dev.reflector.client.fixture.RawServer;
import dev.reflector.fixture.LongForm;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks that network buffers are released however an exchange ends.
 */
@ExtendWith(OutputCaptureExtension.class)
class LeakTests {

	private static final int ROUNDS = Integer.getInteger("reflector.leak.rounds", LongForm.times(300, 100));

	@Test
	void releasesBuffersAtEveryEndOfAnExchange(CapturedOutput output) throws Exception {
		assertThat(ResourceLeakDetector.getLevel()).isEqualTo(ResourceLeakDetector.Level.PARANOID);
		String padding = "y".repeat(2000);
		List<String> frames = IntStream.range(0, 500)
			.mapToObj((i) -> Clients.frame("ADDED", Clients.json("w" + i, 1).replace("[1,", "[\"" + padding + "\",")))
			.toList();
		RawServer.Script script = (request, connection) -> {
			boolean failure = request.target().contains("namespaces/failure/");
			connection.head(failure ? 500 : 200, "Connection: close");
			for (String frame : frames) {
				connection.write(frame);
			}
			connection.write("garbage");
		};
		try (RawServer server = new RawServer(script)) {
			var widgets = Clients.widgets(Clients.client(server.uri(), Clients.maxObjectSize(1500)));
			Duration limit = Duration.ofSeconds(30);
			for (int i = 0; i < 30; i += LongForm.times(2, 3)) {
				widgets.watch(Clients.watch()).take(1 + i).blockLast(limit);
				widgets.watch(Clients.watch()).take(Duration.ofMillis(i)).blockLast(limit);
				widgets.watch(new WatchOptions("failure", "1", Duration.ofMinutes(1), true, false))
					.onErrorComplete()
					.blockLast(limit);
				Flux.from(widgets.list(Clients.list())).onErrorComplete().blockLast(limit);
				Flux.from(widgets.list(Clients.list())).onErrorComplete().take(Duration.ofMillis(i)).blockLast(limit);
			}
			widgets.watch(Clients.watch()).blockLast(limit);
		}
		assertNothingIsLost(output);
	}

	@Test
	void anAnswerThatComesWhileItIsGivenUpIsReleased(CapturedOutput output) throws Exception {
		RawServer.Script script = (request, connection) -> {
			connection.head(200, "Connection: close");
			for (int i = 0; i < 20; i++) {
				connection.write(Clients.frame("ADDED", Clients.json("w" + i, 1)));
			}
		};
		Random random = new Random(1);
		try (RawServer server = new RawServer(script)) {
			var widgets = Clients.widgets(Clients.client(server.uri(), Clients.maxObjectSize(1500)));
			for (int i = 0; i < ROUNDS; i++) {
				Disposable watch = widgets.watch(Clients.watch()).subscribe((event) -> {
				}, (error) -> {
				});
				LockSupport.parkNanos(random.nextInt(1_500_000));
				watch.dispose();
			}
		}
		assertNothingIsLost(output);
	}

	private static void assertNothingIsLost(CapturedOutput output) {
		Awaitility.await().during(1, TimeUnit.SECONDS).atMost(30, TimeUnit.SECONDS).until(() -> {
			// leaks are reported at the next allocation after a collection
			System.gc();
			ByteBufAllocator.DEFAULT.directBuffer(16).release();
			return true;
		});
		assertThat(output).doesNotContain("LEAK:");
	}

}
