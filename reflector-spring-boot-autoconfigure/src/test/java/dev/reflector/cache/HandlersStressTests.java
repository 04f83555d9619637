package dev.reflector.cache;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import dev.reflector.cache.ReflectorOptions.Ordering;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Handlers that come and go while the mirror is written: what each of them adds up is the
 * mirror, and no step on the way contradicts the one before.
 */
@Timeout(60)
class HandlersStressTests {

	private static final int EVENTS = 1000;

	private static final int JOINS = 25;

	@ParameterizedTest
	@CsvSource({ "1,ARRIVAL,5", "2,ARRIVAL,1000", "3,PER_KEY,5", "4,PER_KEY,1000" })
	void i40_whateverTheMomentOfJoiningTheEventsAddUpToTheMirror(long seed, Ordering ordering, int capacity)
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
			CompletableFuture.allOf(removals.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
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

	/** Adds up what it hears. */
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

}
