package dev.reflector.console;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.console.Timeline.MarkKind;
import dev.reflector.console.Timeline.SpanKind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Bounds of what is noted of a reflector, and what a reader gets of its timeline.
 */
class TimelineTests {

	private static final ResourceAccessor<String> VERSIONED = new ResourceAccessor<>() {

		@Override
		public ResourceKey key(String object) {
			return ResourceKey.of(null, object);
		}

		@Override
		public String resourceVersion(String object) {
			return "1";
		}

	};

	private final AtomicLong now = new AtomicLong(1_000_000);

	private final Timeline timeline = new Timeline(this.now::get);

	@Test
	void aReaderGetsWhatIsNewAndWhatHasChanged() {
		Timeline.Entry watch = this.timeline.request(SpanKind.WATCH, null, "from version 1");
		Timeline.Excerpt first = this.timeline.since(0);
		assertThat(first.spans()).singleElement().satisfies((span) -> assertThat(span.end()).isNull());
		assertThat(this.timeline.since(first.number()).isEmpty()).isTrue();
		this.now.addAndGet(5);
		this.timeline.end(watch, "ended");
		this.timeline.end(watch, "ended twice");
		Timeline.Excerpt second = this.timeline.since(first.number());
		assertThat(second.spans()).singleElement().satisfies((span) -> {
			assertThat(span.id()).isEqualTo(first.spans().get(0).id());
			assertThat(span.end()).isEqualTo(1_000_005);
			assertThat(span.detail()).isEqualTo("ended");
		});
	}

	@Test
	void aRequestCutsTheDelayBeforeIt() {
		this.timeline.request(SpanKind.LIST, null, "");
		this.timeline.backingOff(Duration.ofSeconds(10), "for 10 s");
		assertThat(this.timeline.since(0).spans().get(1).end()).isEqualTo(1_010_000);
		this.now.addAndGet(2000);
		this.timeline.request(SpanKind.LIST, null, "");
		assertThat(this.timeline.since(0).spans().get(1).end()).isEqualTo(1_002_000);
	}

	@Test
	void aDelayThatTakesLongerLastsUntilTheNextRequest() {
		this.timeline.request(SpanKind.LIST, null, "");
		this.timeline.backingOff(Duration.ofSeconds(1), "for 1.0 s");
		this.timeline.backingOff(true);
		assertThat(this.timeline.since(0).spans().get(1).end()).isEqualTo(1_001_000);
		this.now.addAndGet(3000);
		long number = this.timeline.since(0).number();
		this.timeline.backingOff(true);
		assertThat(this.timeline.since(number).spans()).singleElement()
			.satisfies((span) -> assertThat(span.end()).isEqualTo(1_003_000));
		this.now.addAndGet(500);
		this.timeline.request(SpanKind.LIST, null, "");
		assertThat(this.timeline.since(0).spans().get(1).end()).isEqualTo(1_003_500);
		this.now.addAndGet(1000);
		this.timeline.backingOff(true);
		assertThat(this.timeline.since(0).spans().get(1).end()).isEqualTo(1_003_500);
	}

	@Test
	void aDelayOfAReflectorThatIsStoppedDoesNotLast() {
		this.timeline.request(SpanKind.LIST, null, "");
		this.timeline.backingOff(Duration.ofSeconds(1), "for 1.0 s");
		this.now.addAndGet(3000);
		this.timeline.backingOff(true);
		this.timeline.backingOff(false);
		this.now.addAndGet(60_000);
		this.timeline.request(SpanKind.LIST, null, "");
		assertThat(this.timeline.since(0).spans().get(1).end()).isEqualTo(1_003_000);
	}

	@Test
	void aChangeThatWasMergedIsNotWaitedForAlthoughOthersAreQueued() {
		Deliveries deliveries = new Deliveries(this.now::get);
		HandlerCounts handler = new HandlerCounts("slow");
		deliveries.arrived(new WatchEvent.Added<>("a"), VERSIONED);
		this.now.addAndGet(3_000_000);
		assertThat(deliveries.take(2, Duration.ZERO, List.of(handler.view()))).isEqualTo(3.0);
		handler.handled();
		handler.failed();
		this.now.addAndGet(1_000_000);
		assertThat(deliveries.take(2, Duration.ZERO, List.of(handler.view()))).as("possibly still queued")
			.isEqualTo(4.0);
		handler.handled();
		assertThat(deliveries.take(2, Duration.ZERO, List.of(handler.view()))).as("merged").isNull();
	}

	@Test
	void aChangeThatMayWaitBehindACallInProgressKeepsItsAgeAlthoughOtherThreadsDeliver() {
		Deliveries deliveries = new Deliveries(this.now::get);
		HandlerCounts handler = new HandlerCounts("of several threads");
		deliveries.arrived(new WatchEvent.Added<>("a"), VERSIONED);
		this.now.addAndGet(3_000_000);
		assertThat(deliveries.take(1, Duration.ofMillis(5), List.of(handler.view()))).isEqualTo(3.0);
		handler.handled();
		handler.handled();
		this.now.addAndGet(2_000_000);
		assertThat(deliveries.take(1, Duration.ofMillis(7), List.of(handler.view()))).isEqualTo(5.0);
		assertThat(deliveries.take(1, Duration.ofMillis(1), List.of(handler.view()))).as("a later call").isNull();
	}

	@Test
	void aHandlerThatIsAddedAgainIsTheSame() {
		Journal journal = new Journal("widgets", new Masking(List::of), new SystemTimeSource());
		journal.handler("first").handled();
		journal.handler("second").failed();
		journal.handler("first").handled();
		assertThat(journal.handlers()).containsExactly(new HandlerCounts.View("first", 2, 0),
				new HandlerCounts.View("second", 0, 1));
	}

	@Test
	void aTableThatIsNotAskedForIsForgottenWhileAnotherIsKept() {
		Map<String, Integer> reads = new HashMap<>();
		ObjectTable<Object> asked = table("asked", reads);
		ObjectTable<Object> unasked = table("unasked", reads);
		ObjectQuery query = ObjectQuery.of(Map.of());
		unasked.page(query, (lister) -> 1);
		long between = System.nanoTime();
		await().until(() -> System.nanoTime() - between > 0);
		asked.page(query, (lister) -> 1);
		asked.forget(between);
		unasked.forget(between);
		asked.page(query, (lister) -> 1);
		unasked.page(query, (lister) -> 1);
		assertThat(reads).containsEntry("asked", 1).containsEntry("unasked", 2);
	}

	@SuppressWarnings("unchecked")
	private static ObjectTable<Object> table(String name, Map<String, Integer> reads) {
		Lister<Object> lister = (Lister<Object>) Proxy.newProxyInstance(Lister.class.getClassLoader(),
				new Class<?>[] { Lister.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("size")) {
						return 0;
					}
					reads.merge(name, 1, Integer::sum);
					return Stream.empty();
				});
		return new ObjectTable<>(lister, new Journal(name, new Masking(List::of), new SystemTimeSource()));
	}

	@Test
	void oldOnesAreNotTold() {
		this.timeline.end(this.timeline.request(SpanKind.LIST, null, ""), "");
		Timeline.Entry open = this.timeline.begin(SpanKind.PAUSED, null, "");
		this.timeline.mark(MarkKind.SYNCED, null, "");
		this.now.addAndGet(Timeline.KEPT.toMillis() + 1);
		assertThat(this.timeline.since(0).marks()).isEmpty();
		assertThat(this.timeline.since(0).spans()).extracting(Timeline.Span::kind).containsExactly(SpanKind.PAUSED);
		this.timeline.end(open, "");
		assertThat(this.timeline.since(0).spans()).hasSize(1);
	}

	@Test
	void thereAreNeverMoreThanItsCapacityAndAnOpenSpanStays() {
		this.timeline.begin(SpanKind.STANDBY, null, "");
		for (int i = 0; i < 2 * Timeline.CAPACITY; i++) {
			this.timeline.end(this.timeline.request(SpanKind.WATCH, null, ""), "");
			this.timeline.mark(MarkKind.ERROR, null, "");
		}
		Timeline.Excerpt all = this.timeline.since(0);
		assertThat(all.spans()).hasSize(Timeline.CAPACITY).extracting(Timeline.Span::kind).contains(SpanKind.STANDBY);
		assertThat(all.marks()).hasSize(Timeline.CAPACITY);
	}

	@Test
	void onlySomeMarksAreRepeatedWithinASecond() {
		this.timeline.mark(MarkKind.BOOKMARK, null, "1");
		this.timeline.mark(MarkKind.ERROR, null, "");
		this.timeline.mark(MarkKind.ERROR, null, "");
		this.timeline.mark(MarkKind.BOOKMARK, null, "2");
		assertThat(this.timeline.since(0).marks()).extracting(Timeline.Mark::kind)
			.containsExactly(MarkKind.BOOKMARK, MarkKind.ERROR, MarkKind.ERROR);
		this.now.addAndGet(1000);
		this.timeline.mark(MarkKind.BOOKMARK, null, "3");
		assertThat(this.timeline.since(0).marks()).extracting(Timeline.Mark::detail).containsExactly("1", "", "", "3");
	}

}
