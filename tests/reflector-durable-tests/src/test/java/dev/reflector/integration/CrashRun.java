package dev.reflector.integration;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.reflector.fixture.Rounds;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.awaitility.core.ConditionTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The lives of an application, each of which ends with {@code kill -9}. The disturbance
 * of a life is chosen at random, and each kind comes once before one is repeated. After a
 * violation, the application begins with an empty store.
 */
final class CrashRun {

	/** The log line of an application whose crash may lose a deletion. */
	private static final String NOT_ANNOUNCED = "added objects cannot be stored before they are delivered";

	/** One life in so many is killed while it starts. */
	private static final int KILLED_AT_START = 4;

	/** After one life in so many, the server forgets its history. */
	private static final int COMPACTION = 3;

	/** After so many lives, all that is stored is of one release. */
	private static final int MIXED = 2;

	/** How many lines of the log are part of a violation. */
	private static final int LINES = 25;

	private static final Disturbance NONE = new Disturbance("none") {
	};

	private final EmbeddedApiServer server;

	private final ResourceCollection widgets;

	private final CrashStore store;

	private final long seed;

	private final Random random;

	private final DurableLedger ledger = new DurableLedger();

	private final CrashWriter writer;

	private final List<Disturbance> remaining = new ArrayList<>();

	private final List<String> first;

	private final Map<String, Integer> disturbed = new TreeMap<>();

	private final List<String> violations = new ArrayList<>();

	private int life;

	private int resumes;

	private long lists;

	/** The oldest version in the history of the server. */
	private long history = 1;

	/** The stored state at the end of the previous life. */
	private StoredMirror stored = StoredMirror.NOTHING;

	private boolean inOrder = true;

	/**
	 * The number of lives that may still find objects that another release has stored.
	 */
	private int mixed;

	/**
	 * Creates a run.
	 * @param server followed by the application
	 * @param store of the application
	 * @param seed of what is chosen
	 * @param first names of the disturbances that come first, before any other
	 */
	CrashRun(EmbeddedApiServer server, CrashStore store, long seed, List<String> first) {
		this.server = server;
		this.widgets = server.resources("widgets");
		this.store = store;
		this.seed = seed;
		this.random = new Random(seed);
		this.writer = new CrashWriter(this.widgets, this.ledger, seed);
		this.first = first;
		store.disturbances()
			.stream()
			.filter((disturbance) -> first.contains(disturbance.toString()))
			.forEach(this.remaining::add);
		Collections.shuffle(this.remaining, this.random);
	}

	ResourceCollection widgets() {
		return this.widgets;
	}

	CrashStore store() {
		return this.store;
	}

	Random random() {
		return this.random;
	}

	DurableLedger ledger() {
		return this.ledger;
	}

	CrashWriter writer() {
		return this.writer;
	}

	/** Lives that are disturbed, and one more that shows what they have left. */
	void live(Rounds disturbances) throws Exception {
		try (this.writer) {
			this.store.begin();
			while (disturbances.goOn(this.disturbed.values().stream().mapToInt(Integer::intValue).sum())) {
				liveOnce(next());
			}
			liveOnce(NONE);
		}
		System.out.printf("%s, seed %d: %d kills, disturbances %s, %d resumes, %d lists, %s, %d violations%n",
				this.store, this.seed, this.life, this.disturbed, this.resumes, this.lists, this.ledger,
				this.violations.size());
		assertThat(this.violations).isEmpty();
		assertThat(this.disturbed.keySet()).containsAll(this.first);
	}

	/**
	 * An application that begins with nothing has nothing that can be disturbed before.
	 */
	private Disturbance next() {
		if (this.remaining.isEmpty()) {
			this.store.disturbances().stream().filter(CrashRun::isWanted).forEach(this.remaining::add);
			Collections.shuffle(this.remaining, this.random);
		}
		Disturbance next = this.remaining.stream()
			.filter((disturbance) -> this.stored != StoredMirror.NOTHING || disturbance.needsRunning())
			.findFirst()
			.orElse(NONE);
		this.remaining.remove(next);
		return next;
	}

	/**
	 * {@code -Dtests.disturbances} has names of those that are wanted, by default all.
	 */
	private static boolean isWanted(Disturbance disturbance) {
		String wanted = System.getProperty("tests.disturbances", "");
		return wanted.isEmpty() || List.of(wanted.split(", *")).contains(disturbance.toString());
	}

	private void liveOnce(Disturbance disturbance) throws Exception {
		String name = "seed " + this.seed + ", life " + this.life + " (" + disturbance + ")";
		this.life++;
		if (disturbance != NONE) {
			this.disturbed.merge(disturbance.toString(), 1, Integer::sum);
		}
		boolean inStep = disturbance == NONE || disturbance.needsRunning() || this.random.nextInt(KILLED_AT_START) > 0;
		try {
			List<String> arguments = disturbance.beforeStart(this);
			Beginning beginning = begin(name, disturbance);
			try (DurableProcess process = DurableProcess.start(this.server.url(), this.store.place(), arguments)) {
				try {
					live(new CrashLife(name, process, this), disturbance, beginning, inStep);
				}
				catch (AssertionError | ConditionTimeoutException ex) {
					violated(name, ex, process.log());
				}
			}
		}
		catch (AssertionError ex) {
			violated(name, ex, "");
		}
		finally {
			disturbance.afterDeath();
		}
		if (this.random.nextInt(COMPACTION) == 0) {
			this.writer.quietly(() -> {
				this.server.compact();
				this.history = Long.parseLong(this.widgets.resourceVersion());
			});
		}
	}

	private Beginning begin(String name, Disturbance disturbance) {
		StoredMirror begin = disturbance.keepsStore() ? this.stored : this.store.read(true);
		this.ledger.begin(name, begin, this.inOrder && disturbance.keepsStore());
		if (!disturbance.keepsRelease() || !disturbance.keepsStore()) {
			this.mixed = MIXED;
		}
		return new Beginning(begin, begin.cursor() >= this.history && this.mixed == 0, listsOfAll().count(),
				this.server.requests(RecordedRequest::isWatch).size());
	}

	private void live(CrashLife life, Disturbance disturbance, Beginning beginning, boolean inStep) throws Exception {
		disturbance.whileStarting();
		boolean order = true;
		if (inStep) {
			// it starts while the server changes; a watch of the life before may be open
			CrashLife.patiently()
				.until(() -> this.server.requests(RecordedRequest::isWatch).size() > beginning.watches);
			life.awaitInStep(CrashLife.PATIENCE);
			if (beginning.stored == StoredMirror.NOTHING) {
				life.awaitNextCommit();
			}
			if (this.random.nextBoolean() || beginning.stored == StoredMirror.NOTHING) {
				this.store.copy();
			}
			order = disturbance.whileRunning(life);
		}
		life.random(inStep ? 400 : 3000);
		life.process().kill();
		disturbance.afterDeath();
		check(life, disturbance, beginning, inStep);
		// a store that takes longer than the bound of announcing, as it may on a busy
		// machine, is reported
		this.inOrder = order && !life.process().log().contains(NOT_ANNOUNCED);
	}

	private void check(CrashLife life, Disturbance disturbance, Beginning beginning, boolean inStep) {
		this.ledger.addUp(life.name(), life.process().events, beginning.stored, this.mixed == 0,
				disturbance.readsAll());
		long lists = listsOfAll().count() - beginning.lists;
		this.lists += lists;
		assertThat(lists).as("%s: lists, where it could %sresume", life.name(), beginning.mayResume ? "" : "not ")
			.isLessThanOrEqualTo(beginning.mayResume ? 0 : 1);
		if (inStep && this.mixed > 0) {
			this.mixed--;
		}
		if (inStep && beginning.mayResume) {
			this.resumes++;
			String cursor = Long.toString(beginning.stored.cursor());
			assertThat(this.server.requests(RecordedRequest::isWatch)).as(life.name())
				.anyMatch((watch) -> cursor.equals(watch.parameter("resourceVersion")));
		}
		this.stored = this.store.read(true);
		this.writer.quietly(() -> this.ledger.check(life.name(), this.stored));
	}

	private Stream<RecordedRequest> listsOfAll() {
		return this.server.requests((request) -> request.isAbout("widgets")
				&& (WidgetScenario.isListOfObjects(request) || "true".equals(request.parameter("sendInitialEvents"))))
			.stream();
	}

	private void violated(String name, Throwable violation, String log) throws Exception {
		List<String> lines = log.lines().toList();
		String text = name + ": " + violation.getMessage() + "\n"
				+ String.join("\n", lines.subList(Math.max(0, lines.size() - LINES), lines.size()));
		System.out.println("Violation: " + text);
		this.violations.add(text);
		this.store.begin();
		this.ledger.beginAgain();
		this.stored = StoredMirror.NOTHING;
		this.inOrder = true;
		this.mixed = 0;
	}

	/**
	 * The state when a life begins.
	 *
	 * @param stored the stored state
	 * @param mayResume whether the server has the history since the stored state, and the
	 * declared fields are the same
	 * @param lists the number of lists so far
	 * @param watches the number of watches so far
	 */
	private record Beginning(StoredMirror stored, boolean mayResume, long lists, int watches) {
	}

}
