package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ReflectorRequest;
import dev.reflector.cache.handler.ReflectorRequest.Kind;
import dev.reflector.cache.handler.RequestEnd;
import dev.reflector.cache.handler.RequestEnd.Reason;
import dev.reflector.cache.handler.RequestObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.fixture.FakeReflector;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of the meters of requests and deliveries that {@link ReflectorMetrics} observes.
 */
class MeteredRequestTests {

	private static final ResourceAccessor<Pod> ACCESSOR = MetadataAccessor.forType(Pod.class);

	private static final String HANDLER = "handler";

	private final MockClock clock = new MockClock();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.clock);

	private final TimeSource time = mock(TimeSource.class);

	private final ReflectorMetrics metrics = new ReflectorMetrics(
			() -> Stream
				.of(new FakeReflector<>("pods", FakeReflector.status(ReflectorState.WATCHING, true, null, null))),
			this.time);

	private final ReflectorObserver observer = this.metrics.observer("pods");

	@BeforeEach
	void bind() {
		given(this.time.now()).willReturn(FakeReflector.NOW);
		this.metrics.bindTo(this.registry);
		ResourceEventHandler<Pod> handler = new ResourceEventHandler<>() {

			@Override
			public String name() {
				return HANDLER;
			}

			@Override
			public void onChange(Change<Pod> change) {
			}

		};
		assertThat(this.metrics.handler("pods", ACCESSOR, handler)).isSameAs(handler);
	}

	private RequestObserver request(Kind kind, @Nullable String namespace, @Nullable Reason after) {
		return this.observer.requested(new ReflectorRequest(kind, namespace, "1", after));
	}

	private RequestObserver watch() {
		return request(Kind.WATCH, null, null);
	}

	private static void end(RequestObserver request, Reason reason) {
		request.ended(new RequestEnd(reason, null, Duration.ofMinutes(5), 7, 0, 0));
	}

	/** A watch with some events. */
	@SafeVarargs
	private void watched(WatchEvent<Pod>... events) {
		RequestObserver watch = watch();
		arrived(watch, events);
		end(watch, Reason.ENDED);
	}

	@SafeVarargs
	private static void arrived(RequestObserver watch, WatchEvent<Pod>... events) {
		for (WatchEvent<Pod> event : events) {
			watch.arrived(event, ACCESSOR);
		}
	}

	private void deliver(Change<Pod> change) {
		this.observer.delivering(HANDLER, change, ACCESSOR);
	}

	@Test
	void countsBytesOfAllRequests() {
		request(Kind.LIST, null, null).received(100);
		request(Kind.VERSIONS, null, null).received(20);
		watch().received(7);
		assertThat(this.registry.get("reflector.received").tag("reflector", "pods").counter().count()).isEqualTo(127);
	}

	@Test
	void countsFormatsThatWereRefused() {
		watch().formatRefused();
		assertThat(this.registry.get("reflector.format.fallbacks").tag("reflector", "pods").counter().count()).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "ENDED, ended", "LOST, lost", "SILENT, silent", "FAILED, failed", "MALFORMED, failed",
			"GIVEN_UP, given_up", "OVERDUE, given_up", "REPLACED, given_up" })
	void countsWatchesThatContinueByHowTheOneBeforeEnded(Reason before, String tag) {
		watch();
		request(Kind.WATCH, null, before);
		assertThat(reconnects(tag)).isOne();
		assertThat(Stream.of("ended", "lost", "silent", "failed", "given_up").mapToDouble(this::reconnects).sum())
			.isOne();
	}

	@Test
	void countsMalformedAnswersByRequest() {
		end(request(Kind.LIST, null, null), Reason.MALFORMED);
		end(request(Kind.VERSIONS, null, null), Reason.MALFORMED);
		assertThat(malformed("list")).isEqualTo(2);
		assertThat(malformed("watch")).isZero();
		end(watch(), Reason.MALFORMED);
		end(request(Kind.STREAMED_LIST, null, null), Reason.MALFORMED);
		assertThat(malformed("watch")).isEqualTo(2);
		end(watch(), Reason.LOST);
		assertThat(malformed("watch") + malformed("list")).isEqualTo(4);
	}

	private double malformed(String request) {
		return this.registry.get("reflector.malformed").tag("request", request).counter().count();
	}

	@Test
	void onlyWatchesHaveADuration() {
		end(request(Kind.LIST, null, null), Reason.ENDED);
		end(watch(), Reason.ENDED);
		end(request(Kind.STREAMED_LIST, null, null), Reason.LOST);
		assertThat(timer("reflector.watch.duration").count()).isEqualTo(2);
		assertThat(timer("reflector.watch.duration").totalTime(TimeUnit.MINUTES)).isEqualTo(10);
	}

	@Test
	void bookmarkHasAnAge() {
		watched(new WatchEvent.Bookmark<>("5", false));
		this.clock.add(Duration.ofSeconds(40));
		assertThat(bookmarkAge()).isEqualTo(40);
		arrived(request(Kind.STREAMED_LIST, null, null), new WatchEvent.Bookmark<>("6", true));
		assertThat(bookmarkAge()).isZero();
	}

	@Test
	void bookmarksOfAStreamedListPromiseNoneOnWatches() {
		arrived(request(Kind.STREAMED_LIST, null, null), new WatchEvent.Bookmark<>("8", true),
				new WatchEvent.Bookmark<>("9", false));
		assertThat(bookmarkAge()).isNaN();
	}

	private double bookmarkAge() {
		return this.registry.get("reflector.last.bookmark.age").gauge().value();
	}

	@Test
	void watchThatIsNotReadIsSeenWhileItLasts() {
		RequestObserver watch = watch();
		assertThat(blockedAge()).isZero();
		watch.blocked();
		at(Duration.ofSeconds(40));
		assertThat(blockedAge()).isEqualTo(40);
		at(Duration.ofSeconds(70));
		assertThat(blockedAge()).isEqualTo(70);
		watch.unblocked(Duration.ofSeconds(70));
		assertThat(blockedAge()).isZero();
		assertThat(timer("reflector.watch.blocked").count()).isOne();
		assertThat(timer("reflector.watch.blocked").totalTime(TimeUnit.SECONDS)).isEqualTo(70);
	}

	@Test
	void ofSeveralWatchesTheOneThatHasWaitedLongestCounts() {
		RequestObserver first = watch();
		RequestObserver other = request(Kind.WATCH, "b", null);
		first.blocked();
		at(Duration.ofSeconds(40));
		other.blocked();
		at(Duration.ofSeconds(70));
		assertThat(blockedAge()).isEqualTo(70);
		first.unblocked(Duration.ofSeconds(70));
		assertThat(blockedAge()).isEqualTo(30);
	}

	private double blockedAge() {
		return this.registry.get("reflector.watch.blocked.age").tag("reflector", "pods").gauge().value();
	}

	@Test
	void onlyHandlersOfTheApplicationHaveALatency() {
		watched(new WatchEvent.Modified<>(pod("a", "11", null)));
		this.observer.delivering("of a library", change(Change.Type.UPDATED, pod("a", "11", null), false), ACCESSOR);
		assertThat(latency("arrival").count()).isZero();
		deliver(change(Change.Type.UPDATED, pod("a", "11", null), false));
		assertThat(latency("arrival").count()).isOne();
	}

	@Test
	void measuresFromArrivalOneChangeAtATime() {
		given(this.time.now()).willReturn(FakeReflector.NOW);
		given(this.time.nanoTime()).willReturn(0L);
		watched(new WatchEvent.Modified<>(pod("a", "11", null)), new WatchEvent.Modified<>(pod("b", "12", null)));
		given(this.time.nanoTime()).willReturn(Duration.ofMillis(30).toNanos());
		deliver(change(Change.Type.UPDATED, pod("b", "12", null), false));
		assertThat(latency("arrival").count()).isZero();
		deliver(change(Change.Type.UPDATED, pod("a", "11", null), false));
		assertThat(latency("arrival").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(30);
	}

	@Test
	void whatAWatchThatTakesOverRepeatsIsNotMeasured() {
		given(this.time.nanoTime()).willReturn(0L);
		RequestObserver present = watch();
		RequestObserver next = watch();
		arrived(present, new WatchEvent.Modified<>(pod("repeated", "11", null)));
		end(present, Reason.REPLACED);
		arrived(next, new WatchEvent.Modified<>(pod("a", "12", null)));
		deliver(change(Change.Type.UPDATED, pod("a", "12", null), false));
		assertThat(latency("arrival").count()).isOne();
	}

	@Test
	void givesAnotherChangeATurnWhenOneNeverComes() {
		given(this.time.nanoTime()).willReturn(0L);
		watched(new WatchEvent.Modified<>(pod("merged", "11", null)));
		given(this.time.nanoTime()).willReturn(Duration.ofMinutes(6).toNanos());
		watched(new WatchEvent.Deleted<>(pod("a", "12", null)));
		deliver(change(Change.Type.DELETED, pod("a", "12", null), false));
		assertThat(latency("arrival").count()).isOne();
	}

	@Test
	void measuresFromTheServerWhatWasCreatedWhileWatching() {
		given(this.time.now()).willReturn(FakeReflector.NOW);
		Instant created = FakeReflector.NOW.minusMillis(1500);
		deliver(change(Change.Type.ADDED, pod("old", "1", created), true));
		deliver(change(Change.Type.UPDATED, pod("changed", "2", created), false));
		deliver(change(Change.Type.ADDED, pod("without", "3", null), false));
		assertThat(latency("server").count()).isZero();
		deliver(change(Change.Type.ADDED, pod("new", "4", created), false));
		deliver(change(Change.Type.ADDED, pod("future", "5", FakeReflector.NOW.plusSeconds(9)), false));
		assertThat(latency("server").count()).isEqualTo(2);
		assertThat(latency("server").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1500);
	}

	@Test
	void objectThatComesIntoTheSelectionIsNoNewOne() {
		Pod labelled = pod("labelled", "7", FakeReflector.NOW.minus(Duration.ofDays(365)));
		Pod created = pod("created", "8", FakeReflector.NOW);
		watched(new WatchEvent.Added<>(labelled), new WatchEvent.Added<>(created));
		at(Duration.ofSeconds(2));
		deliver(change(Change.Type.ADDED, labelled, false));
		assertThat(latency("server").count()).isZero();
		deliver(change(Change.Type.ADDED, created, false));
		assertThat(latency("server").totalTime(TimeUnit.SECONDS)).isEqualTo(2);
	}

	@Test
	void whatTheNextWatchBringsIsMeasuredWhenItWasCreatedSinceTheLastSignOfTheOneBefore() {
		watched(new WatchEvent.Bookmark<>("5", false));
		at(Duration.ofMinutes(3));
		Pod before = pod("before", "7", FakeReflector.NOW.minusSeconds(1));
		Pod meanwhile = pod("meanwhile", "8", FakeReflector.NOW.plusSeconds(60));
		watched(new WatchEvent.Added<>(before), new WatchEvent.Added<>(meanwhile));
		deliver(change(Change.Type.ADDED, before, false));
		assertThat(latency("server").count()).isZero();
		deliver(change(Change.Type.ADDED, meanwhile, false));
		assertThat(latency("server").totalTime(TimeUnit.SECONDS)).isEqualTo(120);
	}

	@Test
	void listenerThatIsSlowerThanWatchesAreLongIsMeasured() {
		Pod waiting = pod("waiting", "7", FakeReflector.NOW);
		watched(new WatchEvent.Added<>(waiting));
		at(Duration.ofMinutes(30));
		end(request(Kind.LIST, null, null), Reason.ENDED);
		watched(new WatchEvent.Added<>(pod("labelled", "9", FakeReflector.NOW.minus(Duration.ofDays(365)))));
		deliver(change(Change.Type.ADDED, waiting, false));
		assertThat(latency("server").totalTime(TimeUnit.MINUTES)).isEqualTo(30);
	}

	@Test
	void whatAStreamBeginsWithComesIntoNoSelection() {
		Pod labelled = pod("labelled", "9", FakeReflector.NOW.minusSeconds(60));
		arrived(request(Kind.STREAMED_LIST, null, null),
				new WatchEvent.Added<>(pod("listed", "7", FakeReflector.NOW.minusSeconds(20))),
				new WatchEvent.Bookmark<>("8", true), new WatchEvent.Added<>(labelled));
		deliver(change(Change.Type.ADDED, labelled, false));
		assertThat(latency("server").count()).isZero();
		Pod waiting = pod("waiting", "6", FakeReflector.NOW.minusSeconds(40));
		deliver(change(Change.Type.ADDED, waiting, false));
		assertThat(latency("server").totalTime(TimeUnit.SECONDS)).isEqualTo(40);
	}

	private void at(Duration time) {
		given(this.time.now()).willReturn(FakeReflector.NOW.plus(time));
		given(this.time.nanoTime()).willReturn(time.toNanos());
	}

	private Timer latency(String from) {
		return this.registry.get("reflector.delivery.latency").tag("from", from).timer();
	}

	private Timer timer(String name) {
		return this.registry.get(name).tag("reflector", "pods").timer();
	}

	private double reconnects(String reason) {
		return this.registry.get("reflector.reconnects").tag("reason", reason).counter().count();
	}

	private static Change<Pod> change(Change.Type type, Pod pod, boolean initial) {
		return new Change<>(type, new ResourceKey("default", String.valueOf(pod.metadata().name())), pod, null,
				String.valueOf(pod.metadata().resourceVersion()), initial, false, Change.Cause.WATCH);
	}

	private static Pod pod(String name, String version, @Nullable Instant created) {
		return new Pod(new ObjectMeta(name, "default", null, version, 0, null, null, created, null, null, null));
	}

	record Pod(ObjectMeta metadata) {

	}

}
