package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.reflector.test.ResourceCollection;
import org.awaitility.core.ConditionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that runs, and will be killed.
 *
 * @param name what to say of it in a message
 * @param process the application
 * @param run the lives
 */
record CrashLife(String name, DurableProcess process, CrashRun run) {

	/** Longer than any step without another time limit takes. */
	static final Duration PATIENCE = Duration.ofSeconds(120);

	/** The time between two looks at a process: each look costs the process time. */
	private static final Duration LOOK = Duration.ofMillis(100);

	/** The number of objects that wait for a busy listener. */
	private static final int WAITING = 12;

	/** The number of commits while the listener is busy. */
	private static final int COMMITS = 3;

	Random random() {
		return this.run.random();
	}

	/** Lets a random time pass. */
	void random(int atMostMillis) throws InterruptedException {
		TimeUnit.MILLISECONDS.sleep(random().nextInt(atMostMillis));
	}

	static ConditionFactory patiently() {
		return await().atMost(PATIENCE).pollInterval(LOOK);
	}

	/** One more addition is delivered and mirrored within a time, and all before it. */
	void addAndAwaitInStep(Duration bound) {
		this.run.writer().addOne();
		awaitInStep(bound);
	}

	/**
	 * While nothing is written, all that was ever delivered adds up to what the server
	 * has, and so does the mirror.
	 */
	void awaitInStep(Duration bound) {
		ResourceCollection widgets = this.run.widgets();
		this.run.writer().quietly(() -> {
			Map<String, String> content = MirrorApplication.contentOf(widgets);
			await().atMost(bound).pollInterval(LOOK).untilAsserted(() -> {
				assertSame("delivered", this.run.ledger().deliveredWith(events()), content);
				assertSame("the mirror", mirror().objects(), content);
			});
		});
	}

	/** Says what differs. */
	private void assertSame(String what, Map<String, String> actual, Map<String, String> content) {
		Map<String, String> differences = new TreeMap<>();
		content.forEach((key, version) -> {
			if (!version.equals(actual.get(key))) {
				differences.put(key, actual.get(key) + " in place of " + version);
			}
		});
		actual.forEach((key, version) -> {
			if (!content.containsKey(key)) {
				differences.put(key, version + ", and it is gone");
			}
		});
		assertThat(differences).as("%s: %s", this.name, what).isEmpty();
	}

	/** The status says that the snapshot is behind. */
	void awaitBehind() {
		await().atMost(PATIENCE)
			.pollInterval(LOOK)
			.untilAsserted(() -> assertThat(mirror().behind()).as("%s: the snapshot is behind", this.name).isTrue());
	}

	/** Something is stored that was not there. */
	void awaitNextCommit() {
		long cursor = this.run.store().read(false).cursor();
		patiently().untilAsserted(() -> assertThat(this.run.store().read(false).cursor())
			.as("%s: stored up to version %d", this.name, cursor)
			.isGreaterThan(cursor));
	}

	/** After one more change, all that the server has is stored, with its version. */
	void awaitStored() {
		this.run.writer().addOne();
		this.run.writer().quietly(() -> {
			Map<String, String> content = MirrorApplication.contentOf(this.run.widgets());
			patiently().untilAsserted(() -> {
				StoredMirror stored = this.run.store().read(false);
				assertSame("stored", stored.objects(), content);
				assertThat(stored.cursor()).as("%s: the cursor", this.name).isPositive();
				assertThat(mirror().behind()).as("%s: the snapshot is behind", this.name).isFalse();
			});
		});
	}

	/**
	 * Waits until the completed changes have been stored several times while objects
	 * always wait for the listener. The wait depends on how long a commit takes.
	 */
	void awaitCommitsOfBusyListener() {
		patiently().untilAsserted(() -> assertThat(this.run.ledger().behind(events()))
			.as("%s: objects that wait for the listener", this.name)
			.isGreaterThanOrEqualTo(WAITING));
		Set<Long> cursors = new LinkedHashSet<>();
		patiently().untilAsserted(() -> {
			if (this.run.ledger().behind(events()) < WAITING) {
				cursors.clear();
			}
			cursors.add(this.run.store().read(false).cursor());
			assertThat(cursors).as("%s: stored versions while the listener was busy", this.name)
				.hasSizeGreaterThan(COMMITS);
		});
	}

	private List<String> events() {
		return new ArrayList<>(this.process.events);
	}

	private DurableProcess.Mirror mirror() throws InterruptedException, ExecutionException {
		try {
			return this.process.mirror().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		catch (TimeoutException ex) {
			throw new AssertionError(this.name + ": the application does not answer", ex);
		}
	}

}
