package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.fixture.Recorder;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.TestInformer;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.WatchEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Adds and removes handlers while the mirror is written. The changes of each handler add
 * up to the mirror, and each change fits the previous one.
 */
@Timeout(60)
class HandlersStressTests {

	private static final int EVENTS = 1000;

	private static final int JOINS = 25;

	@ParameterizedTest
	@CsvSource({ "1,ARRIVAL,5", "2,ARRIVAL,1000", "3,PER_KEY,5", "4,PER_KEY,1000" })
	void i40_theChangesOfAHandlerAddUpToTheMirrorWheneverItIsAdded(long seed, Ordering ordering, int capacity)
			throws Exception {
		TestInformer things = TestInformer.with(TestInformer.options(ordering, capacity));
		List<Folding> staying = new ArrayList<>();
		List<Folding> leaving = new ArrayList<>();
		try {
			ScriptedSource.Stream watch = things.startWith("1", Thing.of("t0", "1"), Thing.of("t1", "1"));
			CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> write(watch, new Random(seed)));
			Random random = new Random(-seed);
			List<CompletableFuture<Void>> removals = new ArrayList<>();
			for (int i = 0; i < JOINS; i++) {
				int version = 1 + i * EVENTS / JOINS;
				things.informer.lister().awaitResourceVersion("" + version, Duration.ofSeconds(30));
				Folding folding = new Folding(random.nextInt(20) == 0);
				HandlerRegistration registration = things.informer.addEventHandler(folding);
				if (random.nextBoolean()) {
					leaving.add(folding);
					removals.add(registration.remove().toCompletableFuture().thenRun(folding::end));
				}
				else {
					staying.add(folding);
				}
			}
			writing.get(30, TimeUnit.SECONDS);
			CompletableFuture.allOf(removals.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
			assertThat(things.informer.lister().awaitResourceVersion("" + (EVENTS + 1), Duration.ofSeconds(30)))
				.isTrue();
			Map<String, String> expected = new TreeMap<>();
			things.informer.lister().list().forEach((thing) -> expected.put(thing.name(), thing.version()));
			assertThat(staying).isNotEmpty().allSatisfy((folding) -> {
				await().untilAsserted(() -> assertThat(folding.state).isEqualTo(expected));
				assertThat(folding.mistakes).isEmpty();
			});
			assertThat(leaving).isNotEmpty().allSatisfy((folding) -> assertThat(folding.mistakes).isEmpty());
		}
		finally {
			things.close();
		}
	}

	@Test
	void c203_c208_handlersAndIndexesMayBeAddedWhileItStarts() throws Exception {
		ExecutorService pool = Executors.newFixedThreadPool(3);
		for (int i = 0; i < 50; i++) {
			TestInformer things = TestInformer.with(TestInformer.options());
			SharedInformer<Thing> informer = things.informer;
			things.source.answer("1", Thing.of("a", "1"));
			Recorder recorder = new Recorder();
			CyclicBarrier together = new CyclicBarrier(3);
			CompletableFuture<Void> started = at(together, pool, informer::start);
			CompletableFuture<Void> added = at(together, pool, () -> informer.addEventHandler(recorder));
			CompletableFuture<Void> indexed = at(together, pool,
					() -> informer.addIndexers(Map.of("names", (thing) -> List.of(thing.name()))));
			CompletableFuture.allOf(started, added, indexed).get(30, TimeUnit.SECONDS);
			things.source.nextWatch().modified(Thing.of("a", "2"));
			await().until(() -> recorder.changes.stream().anyMatch((change) -> change.contains("a@2")));
			assertThat(recorder.changes).first().asString().startsWith("+a@");
			assertThat(recorder.changes).hasSizeLessThanOrEqualTo(2);
			assertThat(informer.lister().byIndex("names", "a")).hasSize(1);
			things.close();
		}
		pool.shutdown();
	}

	private static CompletableFuture<Void> at(CyclicBarrier barrier, Executor threads, Runnable task) {
		return CompletableFuture.runAsync(() -> {
			try {
				barrier.await(30, TimeUnit.SECONDS);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
			task.run();
		}, threads);
	}

	@Test
	void c214_addingHandlersDuringCloseOnlyFailsBecauseTheReflectorIsClosed() throws Exception {
		TestInformer things = TestInformer.with(TestInformer.options());
		ScriptedSource.Stream watch = things.startWith("1");
		int threads = 32;
		ExecutorService abusers = Executors.newFixedThreadPool(threads);
		Collection<Throwable> failures = new ConcurrentLinkedQueue<>();
		AtomicInteger turns = new AtomicInteger();
		List<CompletableFuture<Void>> all = new ArrayList<>();
		for (int i = 0; i < threads; i++) {
			all.add(CompletableFuture.runAsync(() -> {
				try {
					while (true) {
						HandlerRegistration registration = things.informer.addEventHandler(new Recorder());
						turns.incrementAndGet();
						registration.remove().toCompletableFuture().join();
					}
				}
				catch (Throwable ex) {
					failures.add(ex);
				}
			}, abusers));
		}
		Random random = new Random(1);
		for (int version = 2; version < 10_000; version++) {
			Thing thing = Thing.of("t" + random.nextInt(50), "" + version);
			watch.sink
				.tryEmitNext(random.nextBoolean() ? new WatchEvent.Modified<>(thing) : new WatchEvent.Deleted<>(thing));
			if (version == 5000) {
				await().until(() -> turns.get() > threads);
				things.informer.close();
			}
		}
		CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
		abusers.shutdown();
		assertThat(failures).hasSize(threads)
			.allSatisfy((failure) -> assertThat(failure).isInstanceOf(IllegalStateException.class)
				.hasMessage("the reflector 'things' is closed"));
		things.stop();
		await().until(() -> ((ThreadPoolExecutor) things.threads).getActiveCount() == 0);
	}

	/**
	 * A slow handler blocks the writer, so that changes reach the mirror in batches
	 * (D-55). Each event has its own version, and nothing is merged. So a new handler
	 * gets each version after that of its snapshot exactly once.
	 */
	@ParameterizedTest
	@CsvSource({ "1,100", "2,100", "3,400", "4,20" })
	void i40_d55_aNewHandlerGetsEachChangeOfABatchExactlyOnce(long seed, int capacity) throws Exception {
		TestInformer things = TestInformer
			.with(TestInformer.listing(Ordering.ARRIVAL, capacity).overflow(QueueSettings.Overflow.BLOCK).build());
		Semaphore permits = new Semaphore(0);
		things.informer.addEventHandler((change) -> permits.acquireUninterruptibly());
		List<Hearing> all = new ArrayList<>();
		try {
			ScriptedSource.Stream watch = things.startWith("1", Thing.of("t0", "1"), Thing.of("t1", "1"));
			write(watch, new Random(seed));
			Random random = new Random(-seed);
			for (int i = 0; i < JOINS; i++) {
				Hearing hearing = new Hearing((Indexer<Thing>) things.informer.lister());
				all.add(hearing);
				permits.release(1 + random.nextInt(2 * EVENTS / JOINS));
				things.informer.addEventHandler(hearing);
			}
			permits.release(10 * EVENTS);
			String last = "" + (EVENTS + 1);
			assertThat(things.informer.lister().awaitResourceVersion(last, Duration.ofSeconds(30))).isTrue();
			await().until(() -> things.informer.status().queueDepth() == 0);
		}
		finally {
			permits.release(10 * EVENTS);
			things.close();
		}
		assertThat(all).allSatisfy((hearing) -> {
			assertThat(hearing.stale).isEmpty();
			List<Integer> heard = hearing.versions;
			int first = heard.isEmpty() ? EVENTS + 2 : heard.get(0);
			assertThat(heard).isEqualTo(IntStream.rangeClosed(first, EVENTS + 1).boxed().toList());
			assertThat(hearing.initial).isEqualTo(stateAt(first - 1, new Random(seed)));
		});
	}

	/** Returns the state of the server at a version, after the same events. */
	private static Map<String, String> stateAt(int version, Random random) {
		Map<String, String> state = new TreeMap<>(Map.of("t0", "1", "t1", "1"));
		for (int next = 2; next <= version; next++) {
			String name = "t" + random.nextInt(40);
			if (state.containsKey(name) && random.nextInt(3) == 0) {
				state.remove(name);
			}
			else {
				state.put(name, "" + next);
			}
		}
		return state;
	}

	private static void write(ScriptedSource.Stream watch, Random random) {
		Map<String, Boolean> present = new TreeMap<>(Map.of("t0", true, "t1", true));
		for (int version = 2; version <= EVENTS + 1; version++) {
			String name = "t" + random.nextInt(40);
			Thing thing = Thing.of(name, "" + version);
			if (!present.containsKey(name)) {
				watch.added(thing);
				present.put(name, true);
			}
			else if (random.nextInt(3) == 0) {
				watch.deleted(thing);
				present.remove(name);
			}
			else {
				watch.modified(thing);
			}
		}
	}

	/** Adds up the changes that it gets. */
	private static final class Folding implements ResourceEventHandler<Thing> {

		private final Map<String, String> state = new ConcurrentHashMap<>();

		private final ConcurrentLinkedQueue<String> mistakes = new ConcurrentLinkedQueue<>();

		private final boolean slow;

		private volatile boolean ended;

		Folding(boolean slow) {
			this.slow = slow;
		}

		private void end() {
			this.ended = true;
		}

		@Override
		public void onChange(Change<Thing> change) {
			if (this.ended) {
				this.mistakes.add("called after its end: " + change);
			}
			if (this.slow) {
				Thread.yield();
			}
			String name = change.key().name();
			String before = (change.type() == Change.Type.DELETED) ? this.state.remove(name)
					: this.state.put(name, change.object().version());
			String expected = switch (change.type()) {
				case ADDED -> null;
				case UPDATED -> change.previous().version();
				case DELETED -> before;
			};
			boolean missed = change.type() == Change.Type.DELETED && before == null;
			if (missed || !Objects.equals(before, expected)) {
				this.mistakes.add("heard of " + before + " before " + change);
			}
		}

	}

	/**
	 * Records its initial objects and the versions of later changes, and compares them
	 * with the mirror.
	 */
	private static final class Hearing implements ResourceEventHandler<Thing> {

		private final Map<String, String> initial = new TreeMap<>();

		private final List<Integer> versions = new ArrayList<>();

		private final List<String> stale = new ArrayList<>();

		private final Indexer<Thing> mirror;

		Hearing(Indexer<Thing> mirror) {
			this.mirror = mirror;
		}

		@Override
		public void onChange(Change<Thing> change) {
			int version = Integer.parseInt(change.resourceVersion());
			if (change.initialList()) {
				this.initial.put(change.key().name(), change.resourceVersion());
			}
			else {
				this.versions.add(version);
			}
			int reached = Integer.parseInt(this.mirror.resourceVersion());
			Thing mirrored = this.mirror.get(change.key());
			boolean older = mirrored != null && Integer.parseInt(mirrored.version()) < version;
			// read last: an object that was just deleted has a later version
			boolean lacks = mirrored == null && change.type() != Change.Type.DELETED
					&& this.mirror.resourceVersion().equals(change.resourceVersion());
			if (reached < version || older || lacks) {
				this.stale.add("the mirror at " + reached + " shows " + mirrored + " when told of " + change);
			}
		}

	}

}
