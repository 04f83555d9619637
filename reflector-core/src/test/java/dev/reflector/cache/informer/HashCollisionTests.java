package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import dev.reflector.ConsistencyReport;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.CollidingNames;
import dev.reflector.cache.fixture.ComparedKeys;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.MemorySnapshots;
import org.awaitility.Awaitility;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Follows objects whose names have one hash code, and values of an index that have one,
 * and counts how often they are compared: for a list on an average, for a watched change
 * and a look-up the most of all. What the console and the endpoints do is not counted.
 */
class HashCollisionTests {

	/** All look-ups of an object on its whole way. */
	private static final long MOST = 40;

	/**
	 * The maximum for a change whose own commit is awaited: the commit looks for its
	 * place among the keys that are stored in order, however many there are.
	 */
	private static final long MOST_WITH_COMMIT = 120;

	@ParameterizedTest
	@CsvSource({ "ARRIVAL, false", "ARRIVAL, true", "PER_KEY, false" })
	void anObjectWhoseNameCollidesWithAllOthersIsComparedWithFew(String ordering, boolean durable) throws Exception {
		Object way = new ComparedKeys().loadClass(Way.class.getName())
			.getConstructor(String.class, boolean.class)
			.newInstance(ordering, durable);
		assertThat(way.toString().lines()).isNotEmpty()
			.allSatisfy((step) -> assertThat(Long.parseLong(step.replaceAll(".* ", ""))).as(step)
				.isLessThanOrEqualTo((durable && step.startsWith("the largest change")) ? MOST_WITH_COMMIT : MOST));
	}

	/** The way of the objects. Loaded with keys that count. */
	public static final class Way {

		private static final int OBJECTS = LongForm.times(60_000, 2_000);

		private static final int CHANGES = 300;

		private static final int SINGLE_CHANGES = 99;

		private final ScriptedSource source = new ScriptedSource();

		private final MemorySnapshots store = new MemorySnapshots();

		private final StringBuilder steps = new StringBuilder();

		private final boolean durable;

		private final Ordering ordering;

		private SharedInformer<Thing> informer;

		private volatile CountDownLatch listener = new CountDownLatch(0);

		private long before = ComparedKeys.comparisons();

		private volatile String heard = "";

		private final AtomicInteger changes = new AtomicInteger();

		private int version = 1;

		/**
		 * Goes all of it.
		 * @param ordering ordering of the queue
		 * @param durable whether the mirror is durable
		 * @throws Exception when that fails
		 */
		public Way(String ordering, boolean durable) throws Exception {
			this.ordering = Ordering.valueOf(ordering);
			this.durable = durable;
			ExecutorService threads = Executors.newCachedThreadPool();
			this.informer = informer(threads);
			this.source.answer("1", things(OBJECTS, 1));
			this.informer.start();
			ScriptedSource.Stream watch = this.source.nextWatch();
			// otherwise the last commits of the list would count as those of a change
			await(() -> this.informer.hasSynced() && this.changes.get() == OBJECTS);
			done("a list", OBJECTS);
			changeOneByOne(watch);
			lookUp();
			change(watch);
			done("changes", CHANGES);
			relist();
			done("another list", OBJECTS);
			verify();
			done("a comparison", OBJECTS);
			stop();
			if (durable) {
				this.store.release();
				this.informer = informer(threads);
				this.informer.start();
				this.source.nextWatch().bookmark("1001");
				await(this.informer::hasSynced);
				done("a restart", OBJECTS);
				stop();
			}
			threads.shutdownNow();
		}

		private SharedInformer<Thing> informer(ExecutorService threads) {
			ReflectorOptions options = InformerFixture.listing().ordering(this.ordering).queueCapacity(100).build();
			SharedInformerBuilder<Thing> builder = SharedInformer
				.builder("things", this.source, MetadataAccessor.forType(Thing.class))
				.resourceType(ResourceType.of("example.com/v1", "Thing", "things"))
				.options(options)
				.random(new Random(1))
				.threads(threads);
			if (this.durable) {
				builder.snapshot(SnapshotOptions.builder(this.store, ThingCodec.of("shape"))
					.commitInterval(Duration.ofMillis(1))
					.build());
			}
			SharedInformer<Thing> informer = builder.build();
			informer.addIndexers(Map.of("payload", (thing) -> List.of(thing.payload(), "all")));
			informer.addEventHandler((change) -> {
				awaitListener();
				this.heard = change.object().version();
				this.changes.incrementAndGet();
			});
			return informer;
		}

		private void awaitListener() {
			try {
				this.listener.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		/** Objects and values of all parts of the mirror. */
		private void changeOneByOne(ScriptedSource.Stream watch) throws Exception {
			long most = 0;
			for (int i = 0; i < SINGLE_CHANGES; i++) {
				Thing thing = thing(i / 3 * (OBJECTS / SINGLE_CHANGES), ++this.version);
				switch (i % 3) {
					case 0 -> watch.modified(thing);
					case 1 -> watch.deleted(thing);
					default -> watch.added(thing);
				}
				String version = thing.version();
				await(() -> this.informer.lister().hasReached("", version) && this.heard.equals(version));
				most = Math.max(most, counted());
			}
			this.steps.append("the largest change: ").append(most).append('\n');
		}

		private void lookUp() throws Exception {
			long most = 0;
			for (int i = 0; i < OBJECTS; i += OBJECTS / SINGLE_CHANGES) {
				Thing thing = thing(i, 1);
				assertThat(this.informer.lister().get(thing.metadata().namespace(), thing.name())).isNotNull();
				most = Math.max(most, counted());
				assertThat(this.informer.lister().byIndex("payload", thing.payload())).hasSizeLessThanOrEqualTo(2);
				most = Math.max(most, counted());
			}
			this.steps.append("the largest look-up: ").append(most).append('\n');
		}

		/**
		 * More than the queue of a handler that waits can hold, so that they are merged.
		 */
		private void change(ScriptedSource.Stream watch) {
			this.listener = new CountDownLatch(1);
			for (int i = 0; i < CHANGES; i++) {
				Thing thing = thing((i % 50) * 7, ++this.version);
				if (i < CHANGES - 100) {
					watch.modified(thing);
				}
				else if (i < CHANGES - 50) {
					watch.deleted(thing);
				}
				else {
					watch.added(thing);
				}
				if (i == CHANGES - 150) {
					if (this.ordering == Ordering.PER_KEY) {
						// then a handler that waits holds up the mirror once its queue is
						// full
						this.listener.countDown();
					}
					awaitVersion();
					this.listener.countDown();
				}
			}
			awaitVersion();
		}

		private void awaitVersion() {
			String version = String.valueOf(this.version);
			await(() -> this.informer.lister().hasReached("", version));
		}

		private void relist() throws Exception {
			this.source.answer("1000", things(OBJECTS - 10, 2));
			this.informer.relist();
			this.source.nextWatch();
			this.version = 1000;
			await(() -> this.informer.lister().size() == OBJECTS - 10);
		}

		private void verify() throws Exception {
			this.source.answer("1000", things(OBJECTS - 10, 2));
			ConsistencyReport report = this.informer.verify().toCompletableFuture().get(30, TimeUnit.SECONDS);
			assertThat(report.scopes()).allMatch((scope) -> scope.compared() == OBJECTS - 10);
		}

		private void stop() throws Exception {
			this.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		}

		private static void await(BooleanSupplier condition) {
			Awaitility.await()
				.pollDelay(Duration.ZERO)
				.pollInterval(Duration.ofMillis(1))
				.until(condition::getAsBoolean);
		}

		private static Thing[] things(int count, int version) {
			return IntStream.range(0, count).mapToObj((i) -> thing(i, version)).toArray(Thing[]::new);
		}

		private static Thing thing(int number, int version) {
			String name = CollidingNames.of(number);
			return Thing.of(name, name, String.valueOf(version), CollidingNames.of((number + version) & 0xFFFF));
		}

		private void done(String step, int objects) throws Exception {
			this.steps.append(step).append(": ").append(counted() / objects).append('\n');
		}

		/** Returns how many comparisons there were since the last call. */
		private long counted() throws Exception {
			if (this.durable) {
				// else what is committed counts with one step or the next
				this.informer.flushSnapshot().toCompletableFuture().get(30, TimeUnit.SECONDS);
				await(() -> this.informer.durability().behindSince() == null);
			}
			long now = ComparedKeys.comparisons();
			long count = now - this.before;
			this.before = now;
			return count;
		}

		/** Each step, with how many comparisons there were. */
		@Override
		public String toString() {
			return this.steps.toString();
		}

	}

}
