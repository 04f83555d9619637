package dev.reflector.actuate.health;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.ObjectMeta;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceType;
import dev.reflector.actuate.metrics.ReflectorMetrics;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ConnectionException;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.fixture.ManualTime;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of synced, connected and fresh in health and meters, for reflectors of one and of
 * several namespaces. The test moves the time.
 */
@Timeout(60)
class ReflectorFreshnessTests {

	private static final Duration STALE = Duration.ofMinutes(10);

	private final ManualTime time = new ManualTime();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Source source = new Source();

	private SharedInformer<Pod> informer;

	/** Kept here, because registries keep only weak references. */
	private ReflectorMetrics metrics;

	@AfterEach
	void stop() throws Exception {
		this.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		this.threads.shutdownNow();
	}

	@Test
	void aNamespaceThatSaysNothingIsNotHiddenByOneThatDoes() {
		start(InitialList.LIST, "a", "b");
		this.source.bookmark("a", "2").bookmark("b", "2");
		await().until(() -> this.informer.status().counts().bookmarks() == 2);
		Instant silentSince = this.time.now();
		for (int minute = 1; minute <= 11; minute++) {
			// shorter than any watch, and enough to read the frame
			this.time.advance(Duration.ofMinutes(1));
			busy("a", minute + 2);
		}
		Health health = health();
		assertThat(health.getDetails()).containsEntry("fresh", false)
			.containsEntry("lastProgressAt", silentSince)
			.containsEntry("connected", true);
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(age()).isEqualTo(Duration.ofMinutes(11).toSeconds());
		assertThat(this.informer.status().lastEventAt()).as("of any namespace").isEqualTo(this.time.now());
		this.source.bookmark("b", "20");
		await().untilAsserted(() -> assertThat(health().getDetails()).containsEntry("fresh", true));
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		assertThat(age()).isZero();
	}

	@Test
	void nothingIsFreshBeforeAllNamespacesAreListed() {
		this.source.unanswered.add("b");
		create(InitialList.LIST, "a", "b");
		this.informer.start();
		await().until(() -> this.informer.status().counts().lists() == 1);
		assertThat(health().getDetails()).containsEntry("fresh", false)
			.containsEntry("connected", false)
			.doesNotContainKey("lastProgressAt");
		await().untilAsserted(() -> assertThat(this.informer.status().lastListAt()).isEqualTo(this.time.now()));
		assertThat(age()).isNaN();
	}

	@Test
	void aServerThatHasSentBookmarksIsExpectedToHoweverManyListsFollowed() {
		start(InitialList.LIST);
		this.source.bookmark("", "2");
		await().until(() -> this.informer.status().counts().bookmarks() == 1);
		for (int list = 2; list <= 4; list++) {
			relist(list);
		}
		this.time.advance(STALE.plusSeconds(1));
		assertThat(health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void bookmarksThatEndStreamedListsPromiseNoneOnWatches() {
		create(InitialList.STREAM);
		this.informer.start();
		await().until(() -> this.source.watches.containsKey(""));
		this.source.endMarker("2");
		await().until(this.informer::hasSynced);
		// one that repeats the last version
		this.source.endMarker("3");
		this.source.endMarker("4");
		await().until(() -> this.informer.status().counts().bookmarks() == 3);
		this.time.advance(STALE.plusSeconds(1));
		Health health = health();
		assertThat(health.getDetails()).containsEntry("fresh", false);
		assertThat(health.getStatus()).isEqualTo(Status.UP);
	}

	@Test
	void afterAPauseTheServerIsExpectedToSpeakOnceItHasSpoken() {
		start(InitialList.LIST);
		this.source.bookmark("", "2");
		await().until(() -> this.informer.status().counts().bookmarks() == 1);
		this.informer.pause();
		await().until(() -> this.informer.state() == ReflectorState.PAUSED);
		this.source.watches.clear();
		this.time.advance(STALE.plusSeconds(1));
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		this.informer.resume();
		await().until(() -> this.source.watches.containsKey("") && this.informer.state() == ReflectorState.WATCHING);
		assertThat(health().getDetails()).containsEntry("fresh", false);
		assertThat(health().getStatus()).as("nothing can have been said yet").isEqualTo(Status.UP);
		this.source.bookmark("", "3");
		// a bookmark is noted after its time
		await().untilAsserted(() -> {
			assertThat(health().getDetails()).containsEntry("fresh", true);
			assertThat(this.informer.status().contact().bookmarks()).isTrue();
		});
		this.time.advance(STALE.plusSeconds(1));
		assertThat(health().getStatus()).isEqualTo(Status.DOWN);
	}

	@Test
	void isConnectedOnceTheServerHasAnswered() {
		this.source.unanswered.add("");
		create(InitialList.LIST);
		this.informer.start();
		await().until(() -> this.source.asked.contains(""));
		assertThat(this.informer.state()).isEqualTo(ReflectorState.LISTING);
		assertThat(health().getDetails()).containsEntry("connected", false);
		this.source.pages.tryEmitValue(page("1", "more")).orThrow();
		await().untilAsserted(() -> assertThat(health().getDetails()).containsEntry("connected", true)
			.containsEntry("synced", false)
			.containsEntry("fresh", false));
	}

	@Test
	void isConnectedOnceAStreamIsOpen() {
		create(InitialList.STREAM);
		this.informer.start();
		await().until(() -> this.source.watches.containsKey(""));
		assertThat(health().getDetails()).containsEntry("connected", false);
		this.source.send("", new WatchEvent.Opened<>());
		await().untilAsserted(
				() -> assertThat(health().getDetails()).containsEntry("connected", true).containsEntry("fresh", false));
	}

	@Test
	void afterAFailureItIsConnectedOnceAWatchWorks() {
		this.source.failure = new ConnectionException("ConnectionRefused", "nobody is there",
				new IllegalStateException());
		create(InitialList.LIST);
		this.informer.start();
		await().until(() -> this.informer.status().lastError() != null);
		assertThat(health().getDetails()).containsEntry("connected", false);
		this.source.failure = null;
		this.time.advance(Duration.ofMinutes(1));
		await().until(() -> this.source.watches.containsKey(""));
		assertThat(health().getDetails()).containsEntry("connected", false);
		this.source.bookmark("", "5");
		await().untilAsserted(() -> assertThat(health().getDetails()).containsEntry("connected", true));
	}

	private void busy(String namespace, int version) {
		long bookmarks = this.informer.status().counts().bookmarks();
		this.source.bookmark(namespace, Integer.toString(version));
		await().until(() -> this.informer.status().counts().bookmarks() == bookmarks + 1);
	}

	private void relist(int list) {
		this.source.watches.clear();
		this.source.version = Integer.toString(list);
		this.informer.relist();
		await().until(() -> this.informer.status().counts().lists() == list && this.source.watches.containsKey(""));
	}

	private void start(InitialList initialList, String... namespaces) {
		create(initialList, namespaces);
		this.informer.start();
		int scopes = Math.max(1, namespaces.length);
		await().until(() -> this.informer.hasSynced() && this.source.watches.size() == scopes);
	}

	private void create(InitialList initialList, String... namespaces) {
		// watches must not end while the test moves the time
		ReflectorOptions options = ReflectorOptions.builder()
			.initialList(initialList)
			.minWatchTimeout(Duration.ofHours(2))
			.build();
		this.informer = SharedInformer.builder("pods", this.source, MetadataAccessor.forType(Pod.class))
			.resourceType(ResourceType.of("v1", "Pod", "pods"))
			.namespaces(List.of(namespaces))
			.options(options)
			.time(this.time)
			.random(new Random(1))
			.threads(this.threads)
			.build();
	}

	private Health health() {
		Health health = new ReflectorHealthIndicator(this.informer, Duration.ofMinutes(1), STALE, 0, Duration.ZERO,
				this.time, () -> null)
			.health();
		assertThat(health).isNotNull();
		return health;
	}

	private double age() {
		MockClock clock = new MockClock();
		clock.add(Duration.ofMillis(this.time.now().toEpochMilli() - clock.wallTime()));
		SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
		this.metrics = new ReflectorMetrics(() -> Stream.of(this.informer), this.time);
		this.metrics.bindTo(registry);
		return registry.get("reflector.resource.version.age").gauge().value();
	}

	private static ListPage<Pod> page(String version, String continueToken) {
		return new ListPage<>(List.of(), version, continueToken, List.of());
	}

	record Pod(ObjectMeta metadata) {

	}

	/** Lists nothing, and gives its watches to the test. */
	private static final class Source implements ListerWatcher<Pod> {

		private final Map<String, Sinks.Many<WatchEvent<Pod>>> watches = new ConcurrentHashMap<>();

		private final Queue<String> unanswered = new ConcurrentLinkedQueue<>();

		private final Queue<String> asked = new ConcurrentLinkedQueue<>();

		private final Sinks.One<ListPage<Pod>> pages = Sinks.one();

		private volatile String version = "1";

		private volatile @Nullable Throwable failure;

		@Override
		public Mono<ListPage<Pod>> list(ListOptions options) {
			String scope = scope(options.namespace());
			this.asked.add(scope);
			Throwable failure = this.failure;
			if (failure != null) {
				return Mono.error(failure);
			}
			if (!options.continueToken().isEmpty()) {
				return Mono.never();
			}
			return this.unanswered.contains(scope) ? this.pages.asMono() : Mono.just(page(this.version, ""));
		}

		@Override
		public Flux<WatchEvent<Pod>> watch(WatchOptions options) {
			Sinks.Many<WatchEvent<Pod>> watch = Sinks.many().unicast().onBackpressureBuffer();
			this.watches.put(scope(options.namespace()), watch);
			return watch.asFlux();
		}

		private static String scope(@Nullable String namespace) {
			return (namespace != null) ? namespace : "";
		}

		Source bookmark(String scope, String version) {
			return send(scope, new WatchEvent.Bookmark<>(version, false));
		}

		void endMarker(String version) {
			send("", new WatchEvent.Bookmark<>(version, true));
		}

		Source send(String scope, WatchEvent<Pod> event) {
			this.watches.get(scope).tryEmitNext(event).orThrow();
			return this;
		}

	}

}
