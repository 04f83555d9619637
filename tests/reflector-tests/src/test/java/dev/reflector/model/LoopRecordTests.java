package dev.reflector.model;

import java.time.Duration;

import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.model.Call.Kind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which requests may follow a stream that the loop gives up while a part of the
 * stream is still in the loop's mailbox.
 */
class LoopRecordTests {

	private final SystemTimeSource time = new SystemTimeSource();

	private final RecordingSource source = new RecordingSource(new MarkedStream(), History.of(0).setup(),
			new ScaledTime(this.time, 1));

	private final LoopRecord record = new LoopRecord("null",
			new Distances(Duration.ofSeconds(1), Duration.ofSeconds(1), false));

	@AfterEach
	void close() {
		this.time.close();
	}

	@Test
	void aListMayFollowAStreamWhoseEndMarkerTheLoopHasNotTaken() {
		stream();
		list();
		assertThat(this.source.tooSoon()).isEmpty();
	}

	@Test
	void noListMayFollowAStreamAtOnceWhoseFullStateTheLoopHasTaken() {
		stream();
		this.source.listed(Duration.ZERO, 0, 0);
		list();
		assertThat(this.source.tooSoon()).singleElement().asString().contains("STREAM", "LIST");
	}

	@Test
	void aFullStateMayBeReadAgainAtOnceOnceForEachListThatWasAskedFor() {
		stream();
		this.source.relistRequested();
		this.source.watched(Duration.ZERO);
		stream();
		assertThat(this.source.tooSoon()).isEmpty();
		this.source.watched(Duration.ZERO);
		stream();
		assertThat(this.source.tooSoon()).singleElement().asString().contains("STREAM");
	}

	private void stream() {
		this.source.watch(new WatchOptions(null, "", Duration.ofMinutes(5), true, true)).blockLast();
	}

	private void list() {
		this.source.watched(Duration.ZERO);
		this.source.list(new ListOptions(null, "", 0, "")).block();
	}

	@Test
	void aListMayFollowAStuckStreamThatIsBeingRefused() {
		assertThat(listAfterRefusal(Duration.ofSeconds(30))).isNull();
	}

	@Test
	void noListMayFollowARefusedStreamAtOnceThatIsNotStuck() {
		assertThat(listAfterRefusal(Duration.ofSeconds(29))).isNotNull();
	}

	@Test
	void noStreamMayFollowARefusedStreamAtOnce() {
		assertThat(afterRefusal(Kind.STREAM, Duration.ofSeconds(31))).isNotNull();
	}

	private @Nullable Object listAfterRefusal(Duration held) {
		return afterRefusal(Kind.LIST, held);
	}

	private @Nullable Object afterRefusal(Kind next, Duration held) {
		Call stream = new Call("null", Kind.STREAM, "", 0, false, Duration.ofMinutes(5), 0);
		this.record.asks(stream);
		stream.refused = true;
		stream.notBefore = Duration.ofMinutes(1).toNanos();
		this.record.leaves(held.toNanos(), held);
		return this.record.asks(new Call("null", next, "", 0, false, Duration.ZERO, held.toNanos()));
	}

	/** A stream that ends with the end marker, and a list. */
	private static final class MarkedStream implements ListerWatcher<Widget> {

		@Override
		public Mono<ListPage<Widget>> list(ListOptions options) {
			return Mono.empty();
		}

		@Override
		public Flux<WatchEvent<Widget>> watch(WatchOptions options) {
			return Flux.just(new WatchEvent.Bookmark<>("1", true));
		}

	}

}
