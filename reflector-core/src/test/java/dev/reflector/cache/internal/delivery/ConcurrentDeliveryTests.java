package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.DeliverySettings;
import dev.reflector.cache.config.QueueSettings.Overflow;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.call.SlowListeners;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.fixture.ManualTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link DeliverySettings#concurrency()}, and of handlers that stop their
 * delivery.
 */
@Timeout(60)
class ConcurrentDeliveryTests {

	private static final int THREADS = 4;

	private final Recording handler = new Recording();

	private TestInformer things = with(THREADS, 10_000);

	@AfterEach
	void close() throws Exception {
		this.things.close();
	}

	private static TestInformer with(int concurrency, int capacity) {
		return TestInformer.with(TestInformer.listing()
			.concurrency(concurrency)
			.queueCapacity(capacity)
			.overflow(Overflow.BLOCK)
			.build());
	}

	private static Thing[] things(int count) {
		return IntStream.range(0, count).mapToObj((i) -> Thing.of("t" + i, "1")).toArray(Thing[]::new);
	}

	@Test
	void concurrencyMustBePositive() {
		assertThatIllegalArgumentException().isThrownBy(() -> ReflectorOptions.builder().concurrency(0).build())
			.withMessageContaining("concurrency");
	}

	@Test
	void changesOfOneObjectComeInOrderAndOneAtATime() throws Exception {
		this.things.informer.addEventHandler(this.handler);
		ScriptedSource.Stream watch = this.things.startWith("1", things(100));
		for (int version = 2; version < 400; version++) {
			watch.modified(Thing.of("t" + version % 100, Integer.toString(version)));
		}
		await().until(() -> this.handler.count.get() == 100 + 398);
		assertThat(this.handler.overlaps).isEmpty();
		assertThat(this.handler.versions).hasSize(100).allSatisfy((name, versions) -> assertThat(versions).isSorted());
		assertThat(this.handler.threadsByName.values()).allSatisfy((threads) -> assertThat(threads).hasSize(1));
		assertThat(this.handler.threads()).containsExactlyInAnyOrder("reflector-things-events-1",
				"reflector-things-events-2", "reflector-things-events-3", "reflector-things-events-4");
	}

	@Test
	void changesOfDifferentObjectsAreDeliveredInParallel() throws Exception {
		CountDownLatch together = new CountDownLatch(2);
		this.handler.action = (change) -> {
			together.countDown();
			waitFor(together);
		};
		this.things.informer.addEventHandler(this.handler);
		this.things.startWith("1", things(20));
		await().until(() -> this.handler.count.get() == 20);
	}

	@Test
	void onSyncedIsCalledOnceAfterAllThreadsHaveDeliveredTheInitialList() throws Exception {
		CountDownLatch gate = new CountDownLatch(1);
		this.handler.action = (change) -> {
			if (change.key().name().equals("t7")) {
				waitFor(gate);
			}
		};
		HandlerRegistration registration = this.things.informer.addEventHandler(this.handler);
		this.things.startWith("1", things(50));
		await().until(() -> this.handler.threads().size() == THREADS && this.handler.count.get() > 20);
		assertThat(this.handler.synced).isEmpty();
		assertThat(registration.hasSynced()).isFalse();
		gate.countDown();
		registration.synced().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(this.handler.synced).containsExactly(50);
		assertThat(registration.hasSynced()).isTrue();
	}

	@Test
	void eachStartCallsOnStartAndOnSynced() throws Exception {
		this.things.informer.addEventHandler(this.handler);
		this.things.startWith("1", things(10));
		await().until(() -> this.handler.synced.size() == 1);
		this.things.stop();
		assertThat(this.handler.stops.get()).isOne();
		this.things.startWith("2", things(10));
		await().until(() -> this.handler.synced.size() == 2);
		assertThat(this.handler.starts.get()).isEqualTo(2);
	}

	@Test
	void aLateHandlerGetsEachStoredObjectOnce() throws Exception {
		this.things.startWith("1", things(40));
		await().until(() -> this.things.informer.hasSynced());
		HandlerRegistration registration = this.things.informer.addEventHandler(this.handler);
		registration.synced().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(this.handler.versions).hasSize(40).allSatisfy((name, versions) -> assertThat(versions).hasSize(1));
		registration.remove().toCompletableFuture().get(30, TimeUnit.SECONDS);
		await().until(() -> threads().stream().noneMatch((name) -> name.startsWith("reflector-things-events")));
	}

	@Test
	void statesAreDeliveredOnceAndInOrder() throws Exception {
		this.things.informer.addEventHandler(this.handler);
		this.things.startWith("1", things(10));
		await().until(() -> this.handler.states.contains(ReflectorState.WATCHING));
		assertThat(this.handler.states).containsExactly(ReflectorState.STARTING, ReflectorState.LISTING,
				ReflectorState.WATCHING);
	}

	@Test
	void allChangesAreDeliveredThroughASmallQueue() throws Exception {
		this.things = with(THREADS, 8);
		CountDownLatch gate = new CountDownLatch(1);
		this.handler.action = (change) -> waitFor(gate);
		this.things.informer.addEventHandler(this.handler);
		this.things.startWith("1", things(200));
		await().until(() -> this.handler.entered.get() >= 1 && this.things.informer.status().queueDepth() > 0);
		gate.countDown();
		await().until(() -> this.handler.synced.size() == 1);
		assertThat(this.handler.count.get()).isEqualTo(200);
	}

	@Test
	void aStopWaitsUntilAllThreadsHaveDeliveredTheStoredObjects() throws Exception {
		this.things.informer.addEventHandler(this.handler);
		this.things.startWith("1", things(500));
		await().until(() -> this.things.informer.lister().size() == 500);
		this.things.stop();
		assertThat(this.handler.count.get()).isEqualTo(500);
		await().until(() -> threads().stream().noneMatch((name) -> name.startsWith("reflector-things")));
	}

	@Test
	void aHandlerThatStopsItsDeliveryGetsNothingMoreUntilItIsResumed() throws Exception {
		Recording other = new Recording();
		this.things = with(1, 100);
		this.handler.action = (change) -> {
			if (change.key().name().equals("bad")) {
				throw new DeliveryStoppedException("it is broken", new IllegalStateException());
			}
		};
		this.things.informer.addEventHandler(this.handler);
		this.things.informer.addEventHandler(other);
		ScriptedSource.Stream watch = this.things.startWith("1", Thing.of("a", "1"));
		watch.added(Thing.of("bad", "2")).added(Thing.of("c", "3"));
		await().until(() -> other.versions.containsKey("c"));
		await().until(() -> this.things.informer.status().deliveryStopped() != null);
		assertThat(this.things.informer.status().deliveryStopped().message()).isEqualTo("it is broken");
		assertThat(this.things.informer.state()).isEqualTo(ReflectorState.WATCHING);
		assertThat(this.handler.versions).containsOnlyKeys("a");
		this.handler.action = (change) -> {
		};
		this.things.informer.resume();
		Map<String, List<Integer>> all = Map.of("a", List.of(1, 1), "bad", List.of(2), "c", List.of(3));
		await().untilAsserted(() -> assertThat(this.handler.versions).isEqualTo(all));
		assertThat(this.things.informer.status().deliveryStopped()).isNull();
		assertThat(other.versions.get("a")).containsExactly(1);
		watch.added(Thing.of("d", "4"));
		await().until(() -> this.handler.versions.containsKey("d"));
	}

	@Test
	void aStoppedDeliveryDoesNotBlockTheMirrorAndARestartDeliversAgain() throws Exception {
		this.things = with(2, 2);
		this.handler.action = (change) -> {
			throw new DeliveryStoppedException("it is broken", new IllegalStateException());
		};
		this.things.informer.addEventHandler(this.handler);
		this.things.startWith("1", things(100));
		await().until(() -> this.things.informer.lister().size() == 100);
		await().until(() -> this.things.informer.status().deliveryStopped() != null
				&& this.things.informer.status().queueDepth() == 0);
		this.things.stop();
		assertThat(this.things.informer.status().deliveryStopped()).isNotNull();
		this.handler.action = (change) -> {
		};
		this.things.startWith("2", things(100));
		await().until(() -> this.handler.synced.size() == 1);
		assertThat(this.handler.versions).hasSize(100);
		assertThat(this.things.informer.status().deliveryStopped()).isNull();
	}

	@Test
	void onSyncedAfterAResumeWaitsForAllThreadsAgain() throws Exception {
		this.things = with(2, 10_000);
		CountDownLatch failing = new CountDownLatch(1);
		this.handler.action = (change) -> {
			if (isOnSecondThread()) {
				waitFor(failing);
				throw new DeliveryStoppedException("it is broken", new IllegalStateException());
			}
		};
		this.things.informer.addEventHandler(this.handler);
		ScriptedSource.Stream watch = this.things.startWith("1", things(20));
		await().until(() -> this.things.informer.hasSynced() && !this.handler.versions.isEmpty());
		// the first thread gets this change after the end of the initial list
		Thing first = Thing.of(this.handler.versions.keySet().iterator().next(), "2");
		watch.modified(first);
		await().until(() -> this.handler.versions.get(first.metadata().name()).contains(2));
		Set<String> firstShare = Set.copyOf(this.handler.versions.keySet());
		failing.countDown();
		await().until(() -> this.things.informer.status().deliveryStopped() != null);
		CountDownLatch again = new CountDownLatch(1);
		this.handler.action = (change) -> {
			if (!isOnSecondThread()) {
				waitFor(again);
			}
		};
		this.things.informer.resume();
		await().until(() -> this.handler.versions.size() == 20);
		Thing second = Thing.of(
				this.handler.versions.keySet().stream().filter((name) -> !firstShare.contains(name)).findFirst().get(),
				"3");
		watch.modified(second);
		// all objects, and a change for each thread; a call counts when it is over
		await().until(() -> this.handler.count.get() == 22);
		assertThat(this.handler.versions.get(second.metadata().name())).contains(3);
		assertThat(this.handler.synced).as("while the first thread delivers stored objects").isEmpty();
		again.countDown();
		await().until(() -> !this.handler.synced.isEmpty());
		assertThat(this.handler.synced).containsExactly(20 + firstShare.size() + 2);
	}

	@Test
	void aFailureOfACallFromBeforeAResumeDoesNotStopTheResumedDelivery() throws Exception {
		this.things = with(2, 10_000);
		CountDownLatch late = new CountDownLatch(1);
		CountDownLatch called = new CountDownLatch(1);
		this.handler.action = (change) -> {
			if (isOnSecondThread()) {
				called.countDown();
				waitFor(late);
			}
			else {
				waitFor(called);
			}
			throw new DeliveryStoppedException("it is broken", new IllegalStateException());
		};
		this.things.informer.addEventHandler(this.handler);
		this.things.startWith("1", things(20));
		await().until(() -> this.things.informer.status().deliveryStopped() != null);
		this.handler.action = (change) -> {
		};
		this.things.informer.resume();
		late.countDown();
		await().until(() -> !this.handler.synced.isEmpty());
		assertThat(this.things.informer.status().deliveryStopped()).isNull();
		assertThat(this.handler.versions).hasSize(20);
	}

	@Test
	void syncedNotificationsFromBeforeAResumeAreIgnored() {
		ReflectorOptions options = ReflectorOptions.DEFAULT;
		DeliverySetup<Thing> setup = new DeliverySetup<>("things", MetadataAccessor.forType(Thing.class),
				options.queue(), options.delivery(), ReflectorObserver.NONE, new ManualTime(),
				new DeliveryGate.Always<>());
		ResyncClock never = new ResyncClock(Duration.ZERO, Duration.ZERO, 0);
		HandlerGroup<Thing> group = new HandlerGroup<>(setup, ListenerKind.EVENTS, this.handler, "recording",
				List.of(never, never), new Counters(),
				new SlowListeners("things", ReflectorOptions.DEFAULT.delivery(), setup.time(), Stream::empty));
		Notification.Synced<Thing> before = group.synced("1");
		group.deliver(0, before, before);
		group.beginAnew((member) -> {
		});
		Notification.Synced<Thing> after = group.synced("1");
		group.deliver(0, before, before);
		group.deliver(1, after, after);
		assertThat(this.handler.synced).isEmpty();
		group.deliver(1, before, before);
		assertThat(this.handler.synced).isEmpty();
		group.deliver(0, after, after);
		assertThat(this.handler.synced).hasSize(1);
	}

	private static boolean isOnSecondThread() {
		return Thread.currentThread().getName().endsWith("-events-2");
	}

	private static void waitFor(CountDownLatch gate) {
		try {
			assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static List<String> threads() {
		return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
	}

	/** Records what it gets on several threads. */
	private static final class Recording implements ResourceEventHandler<Thing> {

		private final Map<String, List<Integer>> versions = new ConcurrentHashMap<>();

		private final Map<String, Set<String>> threadsByName = new ConcurrentHashMap<>();

		private final Set<String> busy = ConcurrentHashMap.newKeySet();

		private final Queue<String> overlaps = new ConcurrentLinkedQueue<>();

		private final AtomicInteger entered = new AtomicInteger();

		private final AtomicInteger count = new AtomicInteger();

		private final AtomicInteger starts = new AtomicInteger();

		private final AtomicInteger stops = new AtomicInteger();

		/** The number of handled changes at each call of {@code onSynced}. */
		private final List<Integer> synced = new CopyOnWriteArrayList<>();

		private final List<ReflectorState> states = new CopyOnWriteArrayList<>();

		private volatile Consumer<Change<Thing>> action = (change) -> {
		};

		@Override
		public void onChange(Change<Thing> change) {
			String name = change.key().name();
			this.entered.incrementAndGet();
			this.threadsByName.computeIfAbsent(name, (key) -> ConcurrentHashMap.newKeySet())
				.add(Thread.currentThread().getName());
			if (!this.busy.add(name)) {
				this.overlaps.add(name);
			}
			try {
				this.action.accept(change);
			}
			finally {
				this.busy.remove(name);
			}
			this.versions.computeIfAbsent(name, (key) -> new CopyOnWriteArrayList<>())
				.add(Integer.valueOf(change.resourceVersion()));
			this.count.incrementAndGet();
		}

		@Override
		public void onSynced(String resourceVersion) {
			this.synced.add(this.count.get());
		}

		@Override
		public void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
			this.states.add(state);
		}

		@Override
		public void onStart() {
			this.starts.incrementAndGet();
		}

		@Override
		public void onStop() {
			this.stops.incrementAndGet();
		}

		List<String> threads() {
			return new ArrayList<>(
					this.threadsByName.values().stream().flatMap(Set::stream).distinct().sorted().toList());
		}

	}

}
