package dev.reflector.client.internal.frame;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.reflector.client.internal.cbor.CborWatchFramer;
import dev.reflector.client.internal.http.IdleDeadline;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OpenFrame}, and for its use by {@link IdleDeadline}.
 */
class OpenFrameTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(60);

	private final List<DataBuffer> received = new ArrayList<>();

	private final List<Throwable> failures = new ArrayList<>();

	private final Sinks.Many<DataBuffer> body = Sinks.many().unicast().onBackpressureBuffer();

	private VirtualTimeScheduler time;

	private OpenFrame frame;

	private Disposable watch;

	@BeforeEach
	void watch() {
		this.time = VirtualTimeScheduler.getOrSet();
		this.frame = new OpenFrame(() -> this.time.now(TimeUnit.NANOSECONDS));
		IdleDeadline deadline = new IdleDeadline(Duration.ofDays(1), Duration.ofDays(1), TIMEOUT);
		this.watch = deadline
			.limit(this.body.asFlux(),
					() -> deadline.isFrameOverdue() ? Mono.error(new IllegalStateException("overdue")) : Mono.empty())
			.subscribe(this.received::add, this.failures::add);
		deadline.open();
		deadline.over(this.frame);
	}

	@AfterEach
	void reset() {
		this.watch.dispose();
		VirtualTimeScheduler.reset();
	}

	private void emit() {
		this.body.tryEmitNext(DefaultDataBufferFactory.sharedInstance.wrap("x".getBytes(StandardCharsets.UTF_8)))
			.orThrow();
	}

	private void pass(Duration duration) {
		this.time.advanceTimeBy(duration);
	}

	@Test
	void aFrameThatDoesNotEndEndsTheWatch() {
		pass(Duration.ofSeconds(100));
		emit();
		this.frame.set(true);
		pass(Duration.ofSeconds(59));
		// more bytes of the same frame do not restart the time
		emit();
		this.frame.set(true);
		assertThat(this.failures).isEmpty();
		pass(Duration.ofSeconds(2));
		assertThat(this.failures).singleElement().asString().contains("overdue");
		assertThat(this.received).hasSize(2);
		assertThat(this.body.currentSubscriberCount()).isZero();
	}

	@Test
	void timeWithoutAFrameDoesNotCount() {
		for (int i = 0; i < 10; i++) {
			pass(Duration.ofMinutes(5));
			this.frame.set(true);
			pass(Duration.ofSeconds(55));
			this.frame.set(false);
			this.frame.set(true);
			pass(Duration.ofSeconds(55));
			this.frame.set(false);
		}
		pass(Duration.ofHours(1));
		assertThat(this.failures).isEmpty();
		this.body.tryEmitComplete().orThrow();
		assertThat(this.watch.isDisposed()).isTrue();
		assertThat(this.failures).isEmpty();
	}

	@Test
	void framersTellOfTheFrameThatIsOpen() {
		WatchFramer json = new WatchFramer(1000);
		assertOpen(json, "{\"a\":1}\n", false);
		assertOpen(json, "{\"a\":1}\n{\"b\"", true);
		assertOpen(json, ":1", true);
		assertOpen(json, "} ", false);
		CborWatchFramer cbor = new CborWatchFramer(1000);
		assertOpen(cbor, "\u00a1", true);
		assertOpen(cbor, "\u0041a\u0001", false);
	}

	/** An incomplete line is not scanned before the rest of it has come. */
	@Test
	void aLineThatIsCutOffIsOpen() {
		WatchFramer framer = new WatchFramer(1000);
		assertOpen(framer, "{\"a\":1}\n ", false);
		Chunk chunk = chunk("{\"a\":1}\n{\"b\":");
		Frame line = framer.ahead(chunk);
		assertThat(line).isNotNull();
		line.endsAt(7);
		framer.skip(chunk, line);
		assertThat(framer.open().nanos()).isZero();
		assertThat(framer.isCut(chunk)).isTrue();
		assertThat(framer.open().nanos()).isPositive();
		Chunk rest = chunk("{\"b\":2}\n");
		framer.skip(rest, Frame.assumed(rest.bytes, 0, 7));
		assertThat(framer.open().nanos()).isZero();
	}

	private static void assertOpen(StreamFramer framer, String bytes, boolean open) {
		Frames.read(framer, bytes.getBytes(StandardCharsets.ISO_8859_1), (frame) -> {
		});
		assertThat(framer.open().nanos() > 0).as(bytes).isEqualTo(open);
	}

	private static Chunk chunk(String text) {
		Chunk chunk = new Chunk();
		chunk.fill(DefaultDataBufferFactory.sharedInstance.wrap(text.getBytes(StandardCharsets.UTF_8)));
		return chunk;
	}

}
