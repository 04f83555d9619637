package dev.reflector.cache.informer;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ReflectorStatus.Durability;
import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.snapshot.SnapshotCommit;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.StoredObject;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a mirror with a snapshot while calls of its store do not return.
 */
class SilentStoreTests extends DurableProcesses {

	private static final Duration BOUND = Duration.ofSeconds(1);

	/** A reflector whose store no longer answers, and the watch of its source. */
	private ScriptedSource.Stream hanging(InformerFixture fixture) throws Exception {
		ScriptedSource.Stream watch = givenStored(fixture, "5", Thing.of("a", "3"));
		await().until(() -> fixture.informer.durability().behindSince() == null);
		this.store.hang();
		return watch;
	}

	/** Time passes only when a test says so. */
	private InformerFixture unhurried() {
		InformerFixture fixture = process();
		fixture.hurried = false;
		return fixture;
	}

	/** Time passes until the next attempts to store something. */
	private void awaitStoredIn(InformerFixture fixture, String stored) {
		await().untilAsserted(() -> {
			fixture.time.advance(Duration.ofSeconds(1));
			assertThat(this.store.stored()).isEqualTo(stored);
		});
	}

	/** Counts how often the thread that waits for the store has looked at the time. */
	private static AtomicInteger countAsked(InformerFixture fixture) {
		return countAsked(fixture, "reflector-things-store");
	}

	private static AtomicInteger countAsked(InformerFixture fixture, String thread) {
		AtomicInteger asked = new AtomicInteger();
		fixture.timeSource = new TimeSource() {

			@Override
			public Instant now() {
				return fixture.time.now();
			}

			@Override
			public long nanoTime() {
				long now = fixture.time.nanoTime();
				if (Thread.currentThread().getName().equals(thread)) {
					asked.incrementAndGet();
				}
				return now;
			}

			@Override
			public Runnable schedule(Duration delay, Runnable task) {
				return fixture.time.schedule(delay, task);
			}

		};
		return asked;
	}

	private void awaitCall() {
		await().until(() -> this.store.waiting.get() > 0);
	}

	/**
	 * Time passes until the next commit is due, which may be more than a second after the
	 * last.
	 */
	private void awaitCommitOf(InformerFixture fixture) {
		await().until(() -> {
			fixture.time.advance(Duration.ofMillis(100));
			return this.store.waiting.get() > 0;
		});
	}

	@Test
	void additionsAreDeliveredAfterTheTimeoutAndAllThatFollowsAtOnce() throws Exception {
		InformerFixture first = unhurried();
		ScriptedSource.Stream watch = hanging(first);
		first.time.advance(Duration.ofMinutes(1));
		Instant added = first.time.now();
		watch.added(Thing.of("b", "7"));
		awaitCall();
		first.awaitMirror("a@3", "b@7");
		assertThat(first.recorder.changes).containsExactly("+a@3 initial");
		first.time.advance(BOUND);
		first.recorder.awaitChanges("+a@3 initial", "+b@7");
		watch.added(Thing.of("c", "8")).modified(Thing.of("a", "9"));
		first.recorder.awaitChanges("+a@3 initial", "+b@7", "+c@8", "~a@3>a@9");
		first.time.advance(Duration.ofMinutes(1));
		Durability away = first.informer.durability();
		assertThat(away.behindSince()).isEqualTo(added);
		assertThat(away.lastError().message()).endsWith("there has been no answer from the store for 1000 ms");
		assertThat(away.writing()).isTrue();
		assertThat(first.failedCommits.get()).isPositive();
		this.store.answer();
		awaitStoredIn(first, "[a@9, b@7, c@8] {=9}");
		await().until(() -> first.informer.durability().behindSince() == null);
		assertThat(first.informer.durability().lastError()).isNull();
		watch.added(Thing.of("d", "10"));
		awaitStored("[a@9, b@7, c@8, d@10] {=10}");
		assertThat(this.store.commits.stream()
			.map(SnapshotCommit::upserts)
			.flatMap(List::stream)
			.filter((object) -> object.key().name().equals("d") && object.announced())).hasSize(1);
	}

	@Test
	void updatesAreDeliveredAtOnceAndTheStatusSaysSinceWhenTheyAreNotStored() throws Exception {
		InformerFixture first = unhurried();
		ScriptedSource.Stream watch = hanging(first);
		Instant changed = first.time.now();
		watch.modified(Thing.of("a", "6"));
		first.recorder.awaitChanges("+a@3 initial", "~a@3>a@6");
		awaitCommitOf(first);
		first.time.advance(BOUND);
		watch.modified(Thing.of("a", "7"));
		first.recorder.awaitChanges("+a@3 initial", "~a@3>a@6", "~a@6>a@7");
		await().until(() -> first.informer.durability().lastError() != null);
		assertThat(first.informer.durability().behindSince()).isEqualTo(changed);
		this.store.answer();
		awaitStoredIn(first, "[a@6] {=6}");
		// a commit that took so long is followed by a pause
		first.informer.flushSnapshot();
		awaitStored("[a@7] {=7}");
	}

	@Test
	void aCallThatReturnsLateIsInDoubtAndWhatItStoredIsMended() throws Exception {
		InformerFixture first = unhurried();
		ScriptedSource.Stream watch = hanging(first);
		watch.added(Thing.of("b", "7"));
		awaitCall();
		first.awaitMirror("a@3", "b@7");
		first.time.advance(BOUND);
		watch.deleted(Thing.of("b", "8")).added(Thing.of("c", "9"));
		first.recorder.awaitChanges("+a@3 initial", "+b@7", "-b@8", "+c@9");
		int loads = this.store.loads.get();
		this.store.answer();
		awaitStoredIn(first, "[a@3, c@9] {=9}");
		assertThat(this.store.loads.get()).as("what is stored was read again").isGreaterThan(loads);
		assertThat(this.store.commits.stream().flatMap((commit) -> commit.upserts().stream()).map(StoredObject::key))
			.as("the late call")
			.anyMatch((key) -> key.name().equals("b"));
		kill(first);
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		second.source.nextWatch().deleted(Thing.of("c", "10"));
		second.recorder.awaitChanges("-c@10");
	}

	@Test
	void aCrashAfterALateCallRepeatsAndLosesNoDeletionOfWhatIsStored() throws Exception {
		InformerFixture first = unhurried();
		ScriptedSource.Stream watch = hanging(first);
		watch.added(Thing.of("b", "7"));
		awaitCall();
		first.awaitMirror("a@3", "b@7");
		first.time.advance(BOUND);
		first.recorder.awaitChanges("+a@3 initial", "+b@7");
		// the process is killed when its addition has arrived, and nothing after it
		this.store.beforeCommit = () -> {
			throw new IllegalStateException("dead");
		};
		CompletableFuture<?> stopped = first.informer.stop().toCompletableFuture();
		this.store.answer();
		await().until(() -> this.store.stored().equals("[a@3, b@7?] {=5}"));
		first.time.advance(Duration.ofMinutes(1));
		stopped.get(30, TimeUnit.SECONDS);
		this.store.beforeCommit = () -> {
		};
		this.store.release();
		InformerFixture second = process();
		second.source.failWatch(ScriptedSource.status(410, "Expired"));
		second.source.answer("9", Thing.of("a", "3"));
		second.start(InformerFixture.listing());
		second.passDelay(1);
		second.recorder.awaitChanges("-b@7 unseen");
	}

	@Test
	void aFirstStartIsNotCutWhileEachPartIsAccepted() throws Exception {
		InformerFixture first = unhurried();
		AtomicInteger asked = countAsked(first);
		this.store.beforeCommit = () -> {
			if (this.store.commits.size() < 5) {
				first.time.advance(Duration.ofMillis(900));
				// the thread that waits has looked at the time since
				int before = asked.get();
				await().until(() -> asked.get() > before + 1);
			}
		};
		first.source.answer("5", InformerFixture.things(4500, "3"));
		first.start(InformerFixture.listing());
		first.source.nextWatch();
		await().until(() -> first.recorder.changes.size() == 4500);
		assertThat(this.store.commits.stream().limit(5)).flatExtracting(SnapshotCommit::upserts)
			.hasSize(4500)
			.allMatch(StoredObject::announced);
		assertThat(first.failedCommits.get()).isZero();
		assertThat(first.informer.durability().lastError()).isNull();
	}

	@Test
	void aStopDoesNotWaitForTheStoreWhichIsClosedWhenItAnswers() throws Exception {
		InformerFixture first = unhurried();
		ScriptedSource.Stream watch = hanging(first);
		watch.modified(Thing.of("a", "6"));
		awaitCommitOf(first);
		first.time.advance(BOUND);
		CompletableFuture<?> stopped = first.informer.stop().toCompletableFuture();
		stopped.get(30, TimeUnit.SECONDS);
		assertThat(first.recorder.changes).containsExactly("+a@3 initial", "~a@3>a@6");
		first.informer.close();
		assertThat(this.store.waiting.get()).isPositive();
		this.store.answer();
		InformerFixture second = process();
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		await().until(() -> second.informer.durability().writing());
	}

	@Test
	void aStopWaitsForACommitThatIsOnlySlow() throws Exception {
		// the commit that it waits for does not begin before the stop
		InformerFixture first = processThatCommitsOnce();
		first.hurried = false;
		aStopWaitsForACommit(first, this::awaitCall, () -> {
		});
	}

	@Test
	void aStopWaitsForACommitThatHasBegunBeforeIt() throws Exception {
		InformerFixture first = unhurried();
		aStopWaitsForACommit(first, () -> {
		}, () -> awaitCommitOf(first));
	}

	private void aStopWaitsForACommit(InformerFixture first, Runnable afterStop, Runnable beforeStop) throws Exception {
		AtomicInteger asked = countAsked(first, "reflector-things-snapshot");
		ScriptedSource.Stream watch = hanging(first);
		watch.modified(Thing.of("a", "6"));
		first.recorder.awaitChanges("+a@3 initial", "~a@3>a@6");
		beforeStop.run();
		CompletableFuture<?> stopped = first.informer.stop().toCompletableFuture();
		afterStop.run();
		first.time.advance(BOUND.multipliedBy(2));
		int before = asked.get();
		await().until(() -> stopped.isDone() || asked.get() > before + 4);
		assertThat(stopped).isNotDone();
		this.store.answer();
		stopped.get(30, TimeUnit.SECONDS);
		assertThat(this.store.stored()).isEqualTo("[a@6] {=6}");
	}

	@Test
	void aStopKeepsItsDeadlineWhileTheStoreAcceptsOnePartAfterTheOther() throws Exception {
		InformerFixture first = unhurried();
		first.snapshot = SnapshotOptions.builder(this.store, ThingCodec.of("shape"))
			.commitInterval(Duration.ofMillis(1))
			.announceTimeout(Duration.ofHours(1))
			.build();
		CountDownLatch storing = new CountDownLatch(1);
		CountDownLatch accepted = new CountDownLatch(1);
		this.store.beforeCommit = () -> {
			storing.countDown();
			uninterruptibly(accepted);
		};
		first.source.answer("5", InformerFixture.things(2500, "3"));
		first.start(InformerFixture.listing());
		uninterruptibly(storing);
		CompletableFuture<?> stopped = first.informer.stop().toCompletableFuture();
		first.time.advance(Duration.ofMinutes(5));
		stopped.get(30, TimeUnit.SECONDS);
		accepted.countDown();
		first.informer.close();
		assertThat(this.store.commits).as("parts").hasSize(1);
	}

	private static void uninterruptibly(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Test
	void nothingIsListedOrDeliveredBeforeTheStoredStateIsRead() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"));
		this.store.hang();
		InformerFixture second = unhurried();
		second.source.answer("6", Thing.of("a", "3"), Thing.of("b", "6"));
		second.start(InformerFixture.listing());
		awaitCall();
		second.time.advance(Duration.ofMinutes(10));
		await().until(() -> second.informer.durability().lastError() != null);
		assertThat(second.informer.state()).isEqualTo(ReflectorState.STARTING);
		assertThat(second.source.lists).isEmpty();
		assertThat(second.source.watches).isEmpty();
		assertThat(second.recorder.changes).isEmpty();
		this.store.answer();
		second.source.nextWatch().deleted(Thing.of("a", "7"));
		second.recorder.awaitChanges("-a@7");
	}

	@Test
	void aReadThatContinuesIsNotReportedHoweverLongItTakes() throws Exception {
		givenSnapshot("5", Thing.of("a", "3"), Thing.of("b", "4"), Thing.of("c", "5"));
		InformerFixture second = unhurried();
		AtomicInteger asked = countAsked(second);
		List<Optional<LastError>> errors = new CopyOnWriteArrayList<>();
		this.store.beforeObject = () -> {
			second.time.advance(Duration.ofMillis(900));
			// the thread that waits has looked at the time since
			int before = asked.get();
			await().until(() -> asked.get() > before + 4);
			errors.add(Optional.ofNullable(second.informer.durability().lastError()));
		};
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		assertThat(errors).hasSize(3).containsOnly(Optional.empty());
	}

	@Test
	void aStartThatWaitsForTheStoreCanBeStopped() throws Exception {
		this.store.hang();
		InformerFixture first = unhurried();
		first.build(InformerFixture.listing().build());
		first.informer.readAhead();
		first.informer.start();
		awaitCall();
		first.informer.stop().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(first.informer.state()).isEqualTo(ReflectorState.STOPPED);
		assertThat(first.source.lists).isEmpty();
	}

	@Test
	void commitsGoOnBehindAListenerThatIsNeverDone() throws Exception {
		InformerFixture first = unhurried();
		AtomicInteger asked = countAsked(first, "reflector-things-snapshot");
		Semaphore permits = new Semaphore(1);
		CountDownLatch end = new CountDownLatch(1);
		first.recorder.hook = (change) -> permits.acquireUninterruptibly();
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"));
		for (int version = 6; version < 26; version++) {
			int before = asked.get();
			watch.modified(Thing.of("a", Integer.toString(version)));
			first.awaitMirror("a@" + version);
			// the thread that sets marks has looked whether one is due
			await().until(() -> asked.get() > before);
			first.time.advance(Duration.ofSeconds(1));
			// marks are set at each commit interval, which is a millisecond
			end.await(10, TimeUnit.MILLISECONDS);
		}
		assertThat(this.store.stored()).isEqualTo("[a@3] {=5}");
		await().until(() -> first.informer.durability().slowestListener() != null);
		assertThat(first.informer.durability().slowestListener().name()).isEqualTo(first.recorder.name());
		Instant since = first.informer.durability().slowestListener().since();
		permits.release(10);
		await().until(() -> {
			// a commit may pause after the previous one
			first.time.advance(Duration.ofMillis(100));
			return this.store.commits.get(this.store.commits.size() - 1)
				.cursors()
				.values()
				.stream()
				.anyMatch((cursor) -> Integer.parseInt(cursor) > 8);
		});
		await().until(() -> first.recorder.changes.size() == 11);
		await().until(() -> {
			first.time.advance(Duration.ofMillis(1));
			ReflectorStatus.Durability durability = first.informer.durability();
			return durability.slowestListener() != null && durability.slowestListener().since().isAfter(since)
					&& durability.behindSince() != null && durability.behindSince().isAfter(since);
		});
		permits.release(10);
		awaitStoredIn(first, "[a@25] {=25}");
		await().until(() -> first.informer.durability().slowestListener() == null);
	}

}
