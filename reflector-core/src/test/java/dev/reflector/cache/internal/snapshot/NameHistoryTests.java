package dev.reflector.cache.internal.snapshot;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.fixture.ManualTime;
import dev.reflector.fixture.MemorySnapshots;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Runs all short histories of one name, each under a key of its own, side by side: added,
 * changed, deleted, added again. A first process announces each step and commits an
 * earlier state somewhere between two steps, and is killed. The server goes on to the end
 * of the histories. The processes after it follow the server from their cursor, or find
 * the history gone and list, perhaps a state of the past. What they deliver must lead
 * from whatever the listeners had heard before to what is true, without a deletion of an
 * object that is there.
 */
class NameHistoryTests {

	private static final boolean FULL = Boolean.getBoolean("tests.full");

	/** Steps of each history. */
	private static final int STEPS = FULL ? 5 : 3;

	private static final int STEP = 10_000;

	private static final String SENTINEL = "sentinel";

	private static final MetadataAccessor<Thing> ACCESSOR = MetadataAccessor.forType(Thing.class);

	/** By name: after so many steps, the object, or {@code null}. */
	private final Map<String, List<Thing>> histories = new LinkedHashMap<>();

	private final List<String> violations = new ArrayList<>();

	private MemorySnapshots store = new MemorySnapshots();

	NameHistoryTests() {
		List<String> all = new ArrayList<>(List.of(".", "a"));
		for (int step = 0; step < STEPS; step++) {
			List<String> longer = new ArrayList<>();
			for (String history : all) {
				(isPresent(history) ? List.of(".", "u", "d") : List.of(".", "a"))
					.forEach((next) -> longer.add(history + next));
			}
			all = longer;
		}
		all.forEach((history) -> this.histories.put("h" + history.replace('.', '-'), states(history)));
	}

	private static boolean isPresent(String history) {
		String changes = history.replace(".", "");
		return !changes.isEmpty() && !changes.endsWith("d");
	}

	private List<Thing> states(String history) {
		List<Thing> states = new ArrayList<>();
		Thing now = null;
		int number = this.histories.size();
		for (int step = 0; step < history.length(); step++) {
			String version = Integer.toString((step + 1) * STEP + number);
			String name = "h" + history.replace('.', '-');
			now = switch (history.charAt(step)) {
				case 'a' -> Thing.of(name, version).withUid(name + step);
				case 'u' -> Thing.of(name, version).withUid(now.metadata().uid());
				case 'd' -> null;
				default -> now;
			};
			states.add(now);
		}
		return states;
	}

	/** The version of the server after so many steps. */
	private static String version(int steps) {
		return Integer.toString((steps + 2) * STEP - 1);
	}

	@ParameterizedTest
	@EnumSource(Ordering.class)
	void whatIsDeliveredAfterACrashLeadsToWhatIsTrue(Ordering ordering) throws Exception {
		for (int crash = 0; crash <= STEPS; crash++) {
			for (int at = 0; at <= crash; at++) {
				for (int state = 0; state <= at; state++) {
					for (boolean marked : new boolean[] { true, false }) {
						if (marked || state > 0) {
							restarts(new First(crash, at, state, state, marked), ordering);
						}
					}
					for (int next = state + 1; next <= crash && at < crash && (FULL || crash == STEPS); next++) {
						restarts(new First(crash, at, state, next, true), ordering);
					}
				}
			}
		}
		assertThat(this.violations).as("%s violations", this.violations.size()).isEmpty();
	}

	private void restarts(First first, Ordering ordering) throws Exception {
		first(first);
		check(first, "watch", STEPS, life(first.next, null, STEPS, ordering));
		for (int list = first.next; list <= STEPS; list++) {
			first(first);
			check(first, "list " + list, STEPS, life(first.next, list, STEPS, ordering));
		}
		// a queue by key commits seldom
		for (int second = first.next + 1; second < STEPS && ordering == Ordering.ARRIVAL; second++) {
			first(first);
			List<Change<Thing>> heard = new ArrayList<>(life(first.next, null, second, ordering));
			heard.addAll(life(second, STEPS, STEPS, ordering));
			check(first, "watch to " + second + ", list", STEPS, heard);
		}
	}

	/**
	 * The first process.
	 *
	 * @param crash after how many steps it is killed
	 * @param at after how many steps it commits
	 * @param state after how many steps the state was that it commits
	 * @param next the same, for a second commit before it is killed
	 * @param marked whether the last step of that state was announced before it
	 */
	private record First(int crash, int at, int state, int next, boolean marked) {
	}

	private void first(First life) throws Exception {
		this.store = new MemorySnapshots();
		InformerFixture unused = new InformerFixture();
		SnapshotOptions<Thing> options = options();
		DurableMirror<Thing> mirror = new DurableMirror<>("things", options,
				DurableMirror.header(ResourceType.of("example.com/v1", "Thing", "things"), options, unused.source,
						List.of()),
				Mono.just("one"), ACCESSOR, new ManualTime(), new WriterRole(false),
				new OtherApplication("things", new ManualTime()), StoreThreads.one("things", new ManualTime()));
		unused.close();
		new MirrorStart<>(mirror).restore(() -> false);
		ReflectorObserver observer = new ReflectorObserver() {
		};
		WriteAhead<Thing> ahead = new WriteAhead<>(mirror, observer, new ManualTime());
		SnapshotCommits<Thing> commits = new SnapshotCommits<>(mirror, observer, new ManualTime());
		List<Long> marks = new ArrayList<>();
		for (int step = 0; step <= life.crash; step++) {
			announce(ahead, mirror.open().deadline(() -> false), step);
			marks.add(mirror.lastAnnounced());
			if (step == 0) {
				commits.commit(0, new CompletedState<>(version(0), state(0), marks.get(0), Set.of()));
			}
			if (step == life.at) {
				long mark = marks.get(life.state) - (life.marked ? 0 : 1);
				commits.commit(0, new CompletedState<>(version(life.state), state(life.state), mark, Set.of()));
			}
			if (step == life.crash && life.next > life.state) {
				commits.commit(0,
						new CompletedState<>(version(life.next), state(life.next), marks.get(life.next), Set.of()));
			}
		}
		mirror.close();
	}

	private SnapshotOptions<Thing> options() {
		return SnapshotOptions.builder(this.store, ThingCodec.of("shape")).commitInterval(Duration.ofMillis(1)).build();
	}

	private void announce(WriteAhead<Thing> ahead, AnnounceDeadline deadline, int step) throws InterruptedException {
		Map<ResourceKey, Thing> additions = new LinkedHashMap<>();
		this.histories.values().forEach((states) -> {
			Thing now = states.get(step);
			if (now != null && (step == 0 || states.get(step - 1) == null)) {
				additions.put(ACCESSOR.key(now), now);
			}
		});
		ahead.announce(additions, Map.of(), deadline);
	}

	private PersistentMap<ResourceKey, Thing> state(int steps) {
		PersistentMap<ResourceKey, Thing> state = PersistentMap.empty();
		for (List<Thing> states : this.histories.values()) {
			Thing now = states.get(steps);
			state = (now != null) ? state.with(ACCESSOR.key(now), now) : state;
		}
		return state;
	}

	/**
	 * A process after the first.
	 * @param cursor after how many steps it resumes
	 * @param list the steps of the state that it lists, {@code null} when its watch goes
	 * on
	 * @param until after how many steps it is killed
	 */
	private List<Change<Thing>> life(int cursor, @Nullable Integer list, int until, Ordering ordering)
			throws Exception {
		InformerFixture process = new InformerFixture();
		process.snapshot = options();
		process.source.identity = Mono.just("one");
		List<Change<Thing>> heard = new CopyOnWriteArrayList<>();
		CountDownLatch end = new CountDownLatch(1);
		process.recorder.hook = (change) -> {
			if (change.key().name().equals(SENTINEL)) {
				end.countDown();
			}
			else {
				heard.add(change);
			}
		};
		if (list != null) {
			List<Thing> listed = new ArrayList<>();
			state(list).forEach((key, thing) -> listed.add(thing));
			process.source.failWatch(ScriptedSource.status(410, "Expired"));
			process.source.answer(version(list), listed.toArray(Thing[]::new));
		}
		process.start(InformerFixture.listing().ordering(ordering));
		if (list != null) {
			process.passDelay(1);
		}
		ScriptedSource.Stream watch = process.source.nextWatch();
		for (int step = ((list != null) ? list : cursor) + 1; step <= until; step++) {
			send(watch, step);
		}
		Thing last = Thing.of(SENTINEL, version(until));
		watch.added(last).modified(last).deleted(last);
		assertThat(end.await(30, TimeUnit.SECONDS)).as("the end is heard").isTrue();
		if (until < STEPS) {
			await().pollInterval(Duration.ofMillis(2))
				.until(() -> this.store.stored().endsWith("{=" + version(until) + "}"));
		}
		this.store.failure = new SnapshotException("this process is dead", null);
		process.close();
		this.store.failure = null;
		this.store.release();
		return heard;
	}

	private void send(ScriptedSource.Stream watch, int step) {
		Map<String, List<Thing>> inOrder = new TreeMap<>(this.histories);
		inOrder.values().forEach((states) -> {
			Thing before = states.get(step - 1);
			Thing now = states.get(step);
			if (before == null && now != null) {
				watch.added(now);
			}
			else if (before != null && now == null) {
				watch.deleted(
						Thing.of(before.name(), Integer.toString((step + 1) * STEP)).withUid(before.metadata().uid()));
			}
			else if (before != now) {
				watch.modified(now);
			}
		});
	}

	/**
	 * Listeners may have heard any part of what the first process has announced.
	 * @param heard what they have heard since
	 */
	private void check(First first, String how, int end, List<Change<Thing>> heard) {
		Map<String, List<Change<Thing>>> byName = new HashMap<>();
		heard.forEach((change) -> byName.computeIfAbsent(change.key().name(), (name) -> new ArrayList<>()).add(change));
		this.histories.forEach((name, states) -> {
			List<Change<Thing>> changes = byName.getOrDefault(name, List.of());
			String truth = uid(states.get(end));
			for (Change<Thing> change : changes) {
				if (change.type() == Change.Type.DELETED && uid(change.object()).equals(truth)) {
					violate(first, how, name, changes, "a deletion of what is there");
				}
			}
			Change<Thing> last = changes.isEmpty() ? null : changes.get(changes.size() - 1);
			String known = (last == null || last.type() == Change.Type.DELETED) ? "" : uid(last.object());
			for (int told = first.next; told <= first.crash; told++) {
				String ends = (last != null) ? known : uid(states.get(told));
				if (!ends.equals(truth)) {
					violate(first, how, name, changes, "told of '" + uid(states.get(told)) + "' before, '" + ends
							+ "' at the end, and the truth is '" + truth + "'");
				}
			}
		});
	}

	private void violate(First first, String how, String name, List<Change<Thing>> changes, String what) {
		this.violations.add(first + " " + how + " " + name + " " + changes.stream()
			.map((change) -> change.type() + " " + change.object().metadata().uid() + "@" + change.object().version())
			.toList() + ": " + what);
	}

	private static String uid(@Nullable Thing thing) {
		return (thing != null) ? String.valueOf(thing.metadata().uid()) : "";
	}

}
