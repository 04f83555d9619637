package dev.reflector.actuate.metrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.RequestListener.BrokenAnswer;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.fixture.FakeReflector;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests of the meters of sources and handlers that {@link ReflectorMetrics} measures.
 */
class MeteredSourceTests {

	private static final WatchOptions WATCH = new WatchOptions(null, "1", Duration.ofMinutes(5), true, false);

	private static final WatchOptions STREAM = new WatchOptions(null, "", Duration.ofMinutes(5), true, true);

	private static final ListOptions LIST = new ListOptions(null, "0", 500, "");

	private final MockClock clock = new MockClock();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, this.clock);

	private final TimeSource time = mock(TimeSource.class);

	private final ReflectorMetrics metrics = new ReflectorMetrics(
			() -> Stream
				.of(new FakeReflector<>("pods", FakeReflector.status(ReflectorState.WATCHING, true, null, null))),
			this.time);

	private final Source source = new Source();

	private final List<Change<Pod>> handled = new ArrayList<>();

	private final ListerWatcher<Pod> metered = this.metrics.source("pods", MetadataAccessor.forType(Pod.class),
			this.source);

	private final ResourceEventHandler<Pod> handler = this.metrics.handler("pods", MetadataAccessor.forType(Pod.class),
			this.handled::add);

	@BeforeEach
	void bind() {
		given(this.time.now()).willReturn(FakeReflector.NOW);
		this.metrics.bindTo(this.registry);
	}

	@Test
	void countsBytesOfListsAndWatches() {
		this.metered.list(LIST).block();
		this.source.watch = Flux.empty();
		this.metered.watch(WATCH).blockLast();
		assertThat(this.registry.get("reflector.received").tag("reflector", "pods").counter().count()).isEqualTo(107);
	}

	@Test
	void countsFormatsThatWereRefused() {
		this.source.watch = Flux.deferContextual((context) -> {
			RequestListener.of(context).formatRefused();
			return Flux.empty();
		});
		this.metered.watch(WATCH).blockLast();
		assertThat(this.registry.get("reflector.format.fallbacks").tag("reflector", "pods").counter().count()).isOne();
	}

	@Test
	void countsWatchesThatGoOnByHowTheOneBeforeEnded() {
		this.source.watch = Flux.empty();
		this.metered.watch(WATCH).blockLast();
		assertThat(reconnects("ended") + reconnects("failed") + reconnects("given_up")).isZero();
		this.source.watch = Flux.error(new IllegalStateException("broken"));
		this.metered.watch(WATCH).onErrorComplete().blockLast();
		assertThat(reconnects("ended")).isOne();
		this.source.watch = Flux.never();
		this.metered.watch(WATCH).subscribe().dispose();
		assertThat(reconnects("failed")).isOne();
		this.metered.watch(WATCH).subscribe().dispose();
		assertThat(reconnects("given_up")).isOne();
	}

	@Test
	void connectionsThatAreLostOrFallSilentAreNoEnds() {
		this.source.watch = broken(BrokenAnswer.LOST);
		this.metered.watch(WATCH).blockLast();
		this.source.watch = broken(BrokenAnswer.SILENT);
		this.metered.watch(WATCH).blockLast();
		assertThat(reconnects("lost")).isOne();
		this.source.watch = Flux.empty();
		this.metered.watch(WATCH).blockLast();
		assertThat(reconnects("silent")).isOne();
		assertThat(reconnects("lost") + reconnects("ended") + reconnects("failed")).isOne();
	}

	@Test
	void watchThatIsGivenUpForAFrameThatSaysSoHasFailed() {
		Flux<WatchEvent<Pod>> refused = Flux.just(new WatchEvent.Error<>(Status.ofHttp(429, "later")));
		this.source.watch = refused;
		this.metered.watch(WATCH).blockLast();
		this.source.watch = refused.concatWith(Flux.never());
		this.metered.watch(WATCH).take(1).blockLast();
		this.metered.watch(WATCH).take(1).blockLast();
		assertThat(reconnects("failed")).isEqualTo(2);
		assertThat(reconnects("ended") + reconnects("given_up")).isZero();
	}

	@Test
	void countsAnswersThatMakeNoSense() {
		this.source.answer = BrokenAnswer.MALFORMED;
		this.metered.list(LIST).block();
		this.metered.listVersions(LIST).block();
		assertThat(malformed("list")).isEqualTo(2);
		assertThat(malformed("watch")).isZero();
		this.source.watch = broken(BrokenAnswer.MALFORMED);
		this.metered.watch(WATCH).blockLast();
		assertThat(malformed("watch")).isOne();
		this.source.watch = broken(BrokenAnswer.LOST);
		this.metered.watch(WATCH).blockLast();
		assertThat(malformed("watch") + malformed("list")).isEqualTo(3);
	}

	private double malformed(String request) {
		return this.registry.get("reflector.malformed").tag("request", request).counter().count();
	}

	private static Flux<WatchEvent<Pod>> broken(BrokenAnswer answer) {
		return Flux.deferContextual((context) -> {
			RequestListener.of(context).broken(answer);
			return Flux.empty();
		});
	}

	@Test
	void watchAfterAListOrOfTheFullStateIsNoReconnect() {
		this.source.watch = Flux.empty();
		this.metered.watch(WATCH).blockLast();
		this.metered.list(LIST).block();
		this.metered.watch(WATCH).blockLast();
		this.metered.watch(STREAM).blockLast();
		assertThat(reconnects("ended")).isZero();
		this.metered.list(new ListOptions(null, "7", 500, "", ListOptions.ResourceVersionMatch.EXACT)).block();
		this.metered.watch(WATCH).blockLast();
		assertThat(reconnects("ended")).isOne();
	}

	@Test
	void watchThatTakesOverIsNoReconnect() {
		this.source.watch = Flux.never();
		Disposable first = this.metered.watch(WATCH).subscribe();
		Disposable second = this.metered.watch(WATCH).subscribe();
		first.dispose();
		Disposable third = this.metered.watch(WATCH).subscribe();
		second.dispose();
		assertThat(reconnects("given_up")).isZero();
		third.dispose();
		this.metered.watch(WATCH).subscribe().dispose();
		assertThat(reconnects("given_up")).isOne();
	}

	@Test
	void namespacesAreToldApart() {
		this.source.watch = Flux.empty();
		this.metered.watch(new WatchOptions("a", "1", Duration.ofMinutes(5), true, false)).blockLast();
		this.metered.watch(new WatchOptions("b", "1", Duration.ofMinutes(5), true, false)).blockLast();
		assertThat(reconnects("ended")).isZero();
	}

	@Test
	void bookmarkHasAnAge() {
		this.source.watch = Flux.just(new WatchEvent.Bookmark<>("5", false));
		this.metered.watch(WATCH).blockLast();
		this.clock.add(Duration.ofSeconds(40));
		assertThat(this.registry.get("reflector.last.bookmark.age").gauge().value()).isEqualTo(40);
	}

	@Test
	void measuresWhileAWatchIsNotRead() {
		TestPublisher<WatchEvent<Pod>> events = TestPublisher.create();
		this.source.watch = events.flux();
		StepVerifier.create(this.metered.watch(WATCH), 2)
			.then(() -> events.next(new WatchEvent.Bookmark<>("1", false)))
			.expectNextCount(1)
			.then(() -> assertThat(timer("reflector.watch.blocked").count()).isZero())
			.then(() -> events.next(new WatchEvent.Bookmark<>("2", false)))
			.expectNextCount(1)
			.thenRequest(1)
			.then(() -> assertThat(timer("reflector.watch.blocked").count()).isOne())
			.thenCancel()
			.verify(Duration.ofSeconds(30));
	}

	@Test
	void watchThatIsNotReadIsSeenWhileItLasts() {
		TestPublisher<WatchEvent<Pod>> events = TestPublisher.create();
		this.source.watch = events.flux();
		StepVerifier.create(this.metered.watch(WATCH), 1)
			.then(() -> assertThat(blockedAge()).isZero())
			.then(() -> events.next(new WatchEvent.Bookmark<>("1", false)))
			.expectNextCount(1)
			.then(() -> given(this.time.nanoTime()).willReturn(Duration.ofSeconds(40).toNanos()))
			.then(() -> assertThat(blockedAge()).isEqualTo(40))
			.then(() -> given(this.time.nanoTime()).willReturn(Duration.ofSeconds(70).toNanos()))
			.then(() -> assertThat(blockedAge()).isEqualTo(70))
			.thenRequest(1)
			.then(() -> assertThat(blockedAge()).isZero())
			.thenCancel()
			.verify(Duration.ofSeconds(30));
		assertThat(timer("reflector.watch.blocked").count()).isOne();
		assertThat(timer("reflector.watch.blocked").totalTime(TimeUnit.SECONDS)).isEqualTo(70);
	}

	@Test
	void watchThatIsGivenUpWhileItIsNotReadIsMeasured() {
		TestPublisher<WatchEvent<Pod>> events = TestPublisher.create();
		this.source.watch = events.flux();
		StepVerifier.create(this.metered.watch(WATCH), 1)
			.then(() -> events.next(new WatchEvent.Bookmark<>("1", false)))
			.expectNextCount(1)
			.then(() -> given(this.time.nanoTime()).willReturn(Duration.ofSeconds(40).toNanos()))
			.thenCancel()
			.verify(Duration.ofSeconds(30));
		assertThat(timer("reflector.watch.blocked").totalTime(TimeUnit.SECONDS)).isEqualTo(40);
		assertThat(blockedAge()).isZero();
	}

	@Test
	void ofSeveralWatchesTheOneThatHasWaitedLongestCounts() {
		Flux<WatchEvent<Pod>> bookmark = Flux.just(new WatchEvent.Bookmark<>("1", false));
		this.source.watch = bookmark.concatWith(Flux.never());
		StepVerifier.create(this.metered.watch(WATCH), 1).expectNextCount(1).then(() -> {
			at(Duration.ofSeconds(40));
			WatchOptions other = new WatchOptions("b", "1", Duration.ofMinutes(5), true, false);
			StepVerifier.create(this.metered.watch(other), 1).expectNextCount(1).then(() -> {
				at(Duration.ofSeconds(70));
				assertThat(blockedAge()).isEqualTo(70);
			}).thenCancel().verify(Duration.ofSeconds(30));
		}).thenCancel().verify(Duration.ofSeconds(30));
		assertThat(timer("reflector.watch.blocked").totalTime(TimeUnit.SECONDS)).isEqualTo(100);
	}

	private double blockedAge() {
		return this.registry.get("reflector.watch.blocked.age").tag("reflector", "pods").gauge().value();
	}

	@Test
	void measuresFromArrivalOneChangeAtATime() {
		given(this.time.now()).willReturn(FakeReflector.NOW);
		given(this.time.nanoTime()).willReturn(0L);
		this.source.watch = Flux.just(new WatchEvent.Modified<>(pod("a", "11", null)),
				new WatchEvent.Modified<>(pod("b", "12", null)));
		this.metered.watch(WATCH).blockLast();
		given(this.time.nanoTime()).willReturn(Duration.ofMillis(30).toNanos());
		this.handler.onChange(change(Change.Type.UPDATED, pod("b", "12", null), false));
		assertThat(latency("arrival").count()).isZero();
		this.handler.onChange(change(Change.Type.UPDATED, pod("a", "11", null), false));
		assertThat(latency("arrival").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(30);
		assertThat(this.handled).hasSize(2);
	}

	@Test
	void whatAWatchThatTakesOverRepeatsIsNotMeasured() {
		given(this.time.nanoTime()).willReturn(0L);
		TestPublisher<WatchEvent<Pod>> events = TestPublisher.create();
		this.source.watch = events.flux();
		Disposable present = this.metered.watch(WATCH).subscribe();
		Disposable next = this.metered.watch(WATCH).subscribe();
		events.next(new WatchEvent.Modified<>(pod("repeated", "11", null)));
		present.dispose();
		events.next(new WatchEvent.Modified<>(pod("a", "12", null)));
		this.handler.onChange(change(Change.Type.UPDATED, pod("a", "12", null), false));
		assertThat(latency("arrival").count()).isOne();
		next.dispose();
	}

	@Test
	void givesAnotherChangeATurnWhenOneNeverComes() {
		given(this.time.nanoTime()).willReturn(0L);
		this.source.watch = Flux.just(new WatchEvent.Modified<>(pod("merged", "11", null)));
		this.metered.watch(WATCH).blockLast();
		given(this.time.nanoTime()).willReturn(Duration.ofMinutes(6).toNanos());
		this.source.watch = Flux.just(new WatchEvent.Deleted<>(pod("a", "12", null)));
		this.metered.watch(WATCH).blockLast();
		this.handler.onChange(change(Change.Type.DELETED, pod("a", "12", null), false));
		assertThat(latency("arrival").count()).isOne();
	}

	@Test
	void measuresFromTheServerWhatWasCreatedWhileWatching() {
		given(this.time.now()).willReturn(FakeReflector.NOW);
		Instant created = FakeReflector.NOW.minusMillis(1500);
		this.handler.onChange(change(Change.Type.ADDED, pod("old", "1", created), true));
		this.handler.onChange(change(Change.Type.UPDATED, pod("changed", "2", created), false));
		this.handler.onChange(change(Change.Type.ADDED, pod("without", "3", null), false));
		assertThat(latency("server").count()).isZero();
		this.handler.onChange(change(Change.Type.ADDED, pod("new", "4", created), false));
		this.handler.onChange(change(Change.Type.ADDED, pod("future", "5", FakeReflector.NOW.plusSeconds(9)), false));
		assertThat(latency("server").count()).isEqualTo(2);
		assertThat(latency("server").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(1500);
	}

	@Test
	void objectThatComesIntoTheSelectionIsNoNewOne() {
		Pod labelled = pod("labelled", "7", FakeReflector.NOW.minus(Duration.ofDays(365)));
		Pod created = pod("created", "8", FakeReflector.NOW);
		this.source.watch = Flux.just(new WatchEvent.Added<>(labelled), new WatchEvent.Added<>(created));
		this.metered.watch(WATCH).blockLast();
		at(Duration.ofSeconds(2));
		this.handler.onChange(change(Change.Type.ADDED, labelled, false));
		assertThat(latency("server").count()).isZero();
		this.handler.onChange(change(Change.Type.ADDED, created, false));
		assertThat(latency("server").totalTime(TimeUnit.SECONDS)).isEqualTo(2);
	}

	@Test
	void whatTheNextWatchBringsIsMeasuredWhenItWasCreatedSinceTheLastSignOfTheOneBefore() {
		this.source.watch = Flux.just(new WatchEvent.Bookmark<>("5", false));
		this.metered.watch(WATCH).blockLast();
		at(Duration.ofMinutes(3));
		Pod before = pod("before", "7", FakeReflector.NOW.minusSeconds(1));
		Pod meanwhile = pod("meanwhile", "8", FakeReflector.NOW.plusSeconds(60));
		this.source.watch = Flux.just(new WatchEvent.Added<>(before), new WatchEvent.Added<>(meanwhile));
		this.metered.watch(WATCH).blockLast();
		this.handler.onChange(change(Change.Type.ADDED, before, false));
		assertThat(latency("server").count()).isZero();
		this.handler.onChange(change(Change.Type.ADDED, meanwhile, false));
		assertThat(latency("server").totalTime(TimeUnit.SECONDS)).isEqualTo(120);
	}

	@Test
	void listenerThatIsSlowerThanWatchesAreLongIsMeasured() {
		Pod waiting = pod("waiting", "7", FakeReflector.NOW);
		this.source.watch = Flux.just(new WatchEvent.Added<>(waiting));
		this.metered.watch(WATCH).blockLast();
		at(Duration.ofMinutes(30));
		this.metered.list(LIST).block();
		this.source.watch = Flux
			.just(new WatchEvent.Added<>(pod("labelled", "9", FakeReflector.NOW.minus(Duration.ofDays(365)))));
		this.metered.watch(WATCH).blockLast();
		this.handler.onChange(change(Change.Type.ADDED, waiting, false));
		assertThat(latency("server").totalTime(TimeUnit.MINUTES)).isEqualTo(30);
	}

	@Test
	void whatAStreamBeginsWithComesIntoNoSelection() {
		Pod labelled = pod("labelled", "9", FakeReflector.NOW.minusSeconds(60));
		this.source.watch = Flux.just(new WatchEvent.Added<>(pod("listed", "7", FakeReflector.NOW.minusSeconds(20))),
				new WatchEvent.Bookmark<>("8", true), new WatchEvent.Added<>(labelled));
		this.metered.watch(STREAM).blockLast();
		this.handler.onChange(change(Change.Type.ADDED, labelled, false));
		assertThat(latency("server").count()).isZero();
		Pod waiting = pod("waiting", "6", FakeReflector.NOW.minusSeconds(40));
		this.handler.onChange(change(Change.Type.ADDED, waiting, false));
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

	private static final class Source implements ListerWatcher<Pod> {

		private Flux<WatchEvent<Pod>> watch = Flux.never();

		private @Nullable BrokenAnswer answer;

		@Override
		public Mono<ListPage<Pod>> list(ListOptions options) {
			return received(100).then(told()).thenReturn(new ListPage<>(List.of(), "1", "", List.of()));
		}

		@Override
		public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
			return told().then(Mono.empty());
		}

		private Mono<Void> told() {
			return Mono.deferContextual((context) -> {
				if (this.answer != null) {
					RequestListener.of(context).broken(this.answer);
				}
				return Mono.empty();
			});
		}

		@Override
		public Flux<WatchEvent<Pod>> watch(WatchOptions options) {
			return received(7).thenMany(this.watch);
		}

		private static Mono<Void> received(long bytes) {
			return Mono.deferContextual((context) -> {
				RequestListener.of(context).received(bytes);
				return Mono.empty();
			});
		}

	}

}
