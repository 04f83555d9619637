package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ObjectVersion;
import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests what a durable mirror delivers and stores after several things have happened at
 * once: the declared fields were changed, the store has failed, objects were recreated,
 * or replicas have taken turns.
 */
@ExtendWith(OutputCaptureExtension.class)
class DurableRecoveryTests extends DurableProcesses {

	private volatile String leader = "";

	/** The old fields are without the payload. */
	private static SnapshotCodec<Thing> codec(String shape) {
		SnapshotCodec<Thing> all = ThingCodec.of(shape);
		if (!shape.equals("old")) {
			return all;
		}
		return new SnapshotCodec<>() {
			@Override
			public String shape() {
				return shape;
			}

			@Override
			public byte[] write(Thing thing) {
				return all.write(new Thing(thing.metadata(), ""));
			}

			@Override
			public Thing read(byte[] content) {
				return all.read(content);
			}
		};
	}

	/** A process, which is one of several replicas if it has a name. */
	private InformerFixture process(String shape, @Nullable String name) {
		InformerFixture fixture = process();
		if (name != null) {
			fixture.leads = () -> this.leader.equals(name);
		}
		fixture.snapshot = options(shape, true);
		return fixture;
	}

	private SnapshotOptions<Thing> options(String shape, boolean resume) {
		return SnapshotOptions.builder(this.store, codec(shape))
			.resume(resume)
			.commitInterval(Duration.ofMillis(1))
			.build();
	}

	/**
	 * Makes the leader of a replica that is named "a", and has it store these things.
	 * @return its watch from there
	 */
	private ScriptedSource.Stream givenLeader(InformerFixture replica, String version, Thing... things)
			throws Exception {
		ScriptedSource.Stream watch = begin(replica, version, things);
		this.leader = "a";
		replica.takeOver();
		awaitStored(List.of(things) + " {=" + version + "}");
		return watch;
	}

	private static Consumer<Change<Thing>> blockedBy(CountDownLatch latch) {
		return (change) -> {
			try {
				latch.await(30, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		};
	}

	private static Consumer<Change<Thing>> stopping() {
		return (change) -> {
			throw new DeliveryStoppedException("enough", new IllegalStateException());
		};
	}

	/**
	 * Continues a process from the snapshot, and checks that each object has all its
	 * fields.
	 */
	private void assertRestoredWhole(InformerFixture process, String... things) throws Exception {
		process.start(InformerFixture.listing());
		process.source.nextWatch();
		process.awaitMirror(things);
		assertThat(process.informer.lister().list()).extracting(Thing::payload).containsOnly("payload");
	}

	private static Thing full(String name, String version) {
		return Thing.of("default", name, version, "payload");
	}

	@Test
	void theWriterOfANewReleaseWritesAllObjectsWithItsFields() throws Exception {
		InformerFixture first = process("old", null);
		givenStored(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		InformerFixture second = process("new", null);
		second.source.answer("6", full("a", "3"), full("b", "4"));
		second.start(InformerFixture.listing());
		second.source.nextWatch().modified(full("b", "7"));
		second.recorder.awaitChanges("~a@3>a@3", "~b@4>b@4", "~b@4>b@7");
		first.informer.close();
		awaitStored("[a@3, b@7] {=7}");
		assertThat(this.store.header().shape()).isEqualTo("new");
		second.stop();
		this.store.release();
		InformerFixture third = process("new", null);
		assertRestoredWhole(third, "a@3", "b@7");
		assertThat(third.watchVersions()).containsExactly("from 7");
	}

	@Test
	void aLeaderOfANewReleaseWritesAllObjectsWithItsFields() throws Exception {
		InformerFixture first = process("old", "a");
		givenLeader(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		InformerFixture second = process("new", "b");
		second.source.answer("6", full("a", "3"), full("b", "4"));
		second.start(InformerFixture.listing());
		second.source.nextWatch().modified(full("b", "7"));
		first.informer.standBy().toCompletableFuture().get(30, TimeUnit.SECONDS);
		this.leader = "b";
		second.takeOver();
		awaitStored("[a@3, b@7] {=7}");
		second.stop();
		this.store.release();
		InformerFixture third = process("new", null);
		assertRestoredWhole(third, "a@3", "b@7");
	}

	@Test
	void withoutResumingALeaderComparesByContent() throws Exception {
		InformerFixture first = process("s", "a");
		givenLeader(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		InformerFixture second = process("s", "b");
		second.snapshot = options("s", false);
		// a server that was set back has given out version 3 twice
		begin(second, "6", full("a", "3"), Thing.of("b", "4").unequal());
		first.informer.standBy().toCompletableFuture().get(30, TimeUnit.SECONDS);
		this.leader = "b";
		second.takeOver();
		second.recorder.awaitChanges("~a@3>a@3");
	}

	@Test
	void afterAFailedCommitAllObjectsAreStillWrittenWithTheNewFields() throws Exception {
		InformerFixture first = process("old", null);
		givenStored(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		first.stop();
		this.store.release();
		InformerFixture second = process("new", null);
		second.source.answer("6", full("a", "3"), full("b", "4"));
		second.recorder.hook = (change) -> this.store.failure = new SnapshotException("disk full", null);
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		await().until(() -> second.failedCommits.get() > 0);
		second.recorder.hook = (change) -> {
		};
		this.store.failure = null;
		await().atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(this.store.stored()).isEqualTo("[a@3, b@4] {=6}"));
		second.stop();
		this.store.release();
		InformerFixture third = process("new", null);
		assertRestoredWhole(third, "a@3", "b@4");
	}

	@Test
	void aCrashBeforeTheFirstCommitWithNewFieldsLeavesNoObjectWithOldOnes() throws Exception {
		InformerFixture first = process("old", null);
		givenStored(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		first.stop();
		this.store.release();
		InformerFixture second = process("new", null);
		CountDownLatch goOn = new CountDownLatch(1);
		second.recorder.hook = blockedBy(goOn);
		second.source.answer("6", full("a", "3"), full("b", "4"), full("c", "6"));
		second.start(InformerFixture.listing());
		second.source.nextWatch();
		awaitStored("[a@3, b@4, c@6?] {}");
		this.store.failure = new SnapshotException("dead", null);
		goOn.countDown();
		second.stop();
		this.store.failure = null;
		this.store.release();
		InformerFixture third = process("new", null);
		third.source.answer("6", full("a", "3"), full("b", "4"), full("c", "6"));
		assertRestoredWhole(third, "a@3", "b@4", "c@6");
	}

	@Test
	void aNewLeaderTellsARecreatedObjectAsADeletionAndAnAddition() throws Exception {
		InformerFixture first = process("s", "a");
		givenLeader(first, "5", Thing.of("a", "3").withUid("1"));
		InformerFixture second = process("s", "b");
		second.start(InformerFixture.listing());
		ScriptedSource.Stream two = second.source.nextWatch();
		first.informer.standBy().toCompletableFuture().get(30, TimeUnit.SECONDS);
		two.deleted(Thing.of("a", "6").withUid("1")).added(Thing.of("a", "7").withUid("2"));
		second.awaitMirror("a@7");
		this.leader = "b";
		second.takeOver();
		second.recorder.awaitChanges("-a@3 unseen", "+a@7");
	}

	@Test
	void aResumedListenerIsToldARecreatedObjectAsADeletionAndAnAddition() throws Exception {
		InformerFixture first = process("s", null);
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3").withUid("1"),
				Thing.of("b", "4").withUid("9"));
		first.recorder.hook = stopping();
		watch.modified(Thing.of("b", "6").withUid("9"));
		await().until(() -> first.informer.status().deliveryStopped() != null);
		watch.deleted(Thing.of("a", "7").withUid("1")).added(Thing.of("a", "8").withUid("2"));
		first.awaitMirror("a@8", "b@6");
		first.recorder.hook = (change) -> {
		};
		first.recorder.changes.clear();
		first.informer.resume();
		await().until(() -> first.recorder.changes.size() >= 2);
		assertThat(first.recorder.changes).contains("-a@3 unseen", "+a@8");
	}

	@ParameterizedTest
	@EnumSource(QueueSettings.Ordering.class)
	void aResumedListenerIsToldWhatAServerThatWasSetBackNoLongerHas(QueueSettings.Ordering ordering) throws Exception {
		InformerFixture first = process("s", null);
		first.source.answer("5", Thing.of("a", "3"));
		first.start(InformerFixture.listing().ordering(ordering));
		ScriptedSource.Stream watch = first.source.nextWatch();
		watch.added(Thing.of("b", "90"));
		awaitStored("[a@3, b@90] {=90}");
		first.recorder.hook = stopping();
		watch.modified(Thing.of("a", "91"));
		await().until(() -> first.informer.status().deliveryStopped() != null);
		first.source.answer("50", Thing.of("a", "3"));
		watch.error(410, "Expired");
		first.passDelay(1);
		first.awaitMirror("a@3");
		first.source.nextWatch();
		first.recorder.hook = (change) -> {
		};
		first.recorder.changes.clear();
		first.source.answer("51", Thing.of("a", "3"));
		first.informer.resume();
		first.recorder.awaitChanges("-b@90 unknown");
		assertThat(first.listVersions()).last().isEqualTo("");
		awaitStored("[a@3] {=51}");
	}

	@Test
	void anAnnouncedObjectThatWasRecreatedIsADeletionAndAnAddition() throws Exception {
		InformerFixture first = process("s", null);
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3").withUid("1"));
		CountDownLatch goOn = new CountDownLatch(1);
		first.recorder.hook = blockedBy(goOn);
		watch.added(Thing.of("b", "6").withUid("2"));
		awaitStored("[a@3, b@6?] {=5}");
		kill(first, goOn);
		InformerFixture second = process("s", null);
		beginExpired(second, "9", Thing.of("a", "3").withUid("1"), Thing.of("b", "8").withUid("3"));
		second.source.nextWatch();
		second.recorder.awaitChanges("-b@6 unseen", "+b@8");
	}

	@Test
	void aReplicaThatIsBehindAnAnnouncementOfTheOneBeforeTellsNoDeletion() throws Exception {
		InformerFixture first = process("s", "a");
		ScriptedSource.Stream watch = givenLeader(first, "5", Thing.of("a", "3").withUid("1"));
		CountDownLatch goOn = new CountDownLatch(1);
		first.recorder.hook = blockedBy(goOn);
		watch.added(Thing.of("b", "7").withUid("2"));
		awaitStored("[a@3, b@7?] {=5}");
		InformerFixture second = process("s", "b");
		// otherwise it waits for no longer than a machine under load may pause
		second.hurried = false;
		second.start(InformerFixture.listing());
		ScriptedSource.Stream two = second.source.nextWatch();
		two.modified(Thing.of("a", "6").withUid("1"));
		second.awaitMirror("a@6");
		kill(first, goOn);
		int loads = this.store.loads.get();
		this.leader = "b";
		second.takeOver();
		await().until(() -> this.store.loads.get() > loads);
		two.added(Thing.of("b", "7").withUid("2"));
		second.awaitMirror("a@6", "b@7");
		awaitStored("[a@6, b@7] {=7}");
		assertThat(second.recorder.changes).containsExactlyInAnyOrder("~a@3>a@6", "+b@7");
	}

	@Test
	void aResumeAfterAFailureOfTheStoreTellsDeletions() throws Exception {
		InformerFixture first = process("s", null);
		ScriptedSource.Stream watch = givenStored(first, "5", Thing.of("a", "3"), Thing.of("b", "4"));
		first.recorder.hook = stopping();
		watch.modified(Thing.of("a", "6"));
		await().until(() -> first.informer.status().deliveryStopped() != null);
		this.store.failure = new SnapshotException("database is gone for a moment", null);
		watch.added(Thing.of("c", "7"));
		await().until(() -> first.failedCommits.get() > 0);
		int loads = this.store.loads.get();
		this.store.failure = null;
		await().atMost(Duration.ofSeconds(20)).until(() -> this.store.loads.get() > loads);
		watch.deleted(Thing.of("b", "8"));
		first.awaitMirror("a@6", "c@7");
		first.recorder.hook = (change) -> {
		};
		first.recorder.changes.clear();
		first.informer.resume();
		await().atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(this.store.stored()).isEqualTo("[a@6, c@7] {=8}"));
		assertThat(first.recorder.changes).contains("-b@4 unseen");
	}

	/**
	 * Starts a process that resumes from version 5. The test answers its list of
	 * versions.
	 */
	private InformerFixture resumed(Sinks.One<ListPage<ObjectVersion>> answer) throws Exception {
		InformerFixture first = process("s", null);
		givenStored(first, "5", Thing.of("a", "3"), Thing.of("b", "5"));
		first.stop();
		this.store.release();
		InformerFixture second = process("s", null);
		CountDownLatch asked = new CountDownLatch(1);
		second.listerWatcher = new DelegatingListerWatcher<>(second.source) {

			@Override
			public Mono<ListPage<ObjectVersion>> listVersions(ListOptions options) {
				return answer.asMono().doOnSubscribe((subscription) -> asked.countDown());
			}

		};
		second.start(InformerFixture.listing());
		second.source.nextWatch().send(new WatchEvent.Opened<>());
		assertThat(asked.await(30, TimeUnit.SECONDS)).isTrue();
		second.time.advance(Duration.ofSeconds(2));
		return second;
	}

	@Test
	void aRestoredMirrorHasNotSyncedBeforeTheServerHasReachedItsVersion() throws Exception {
		Sinks.One<ListPage<ObjectVersion>> answer = Sinks.one();
		InformerFixture second = resumed(answer);
		List<Change<Thing>> heard = new CopyOnWriteArrayList<>();
		second.recorder.hook = heard::add;
		assertThat(second.informer.hasSynced()).isFalse();
		second.source.answer("4", Thing.of("a", "3"));
		answer
			.tryEmitError(
					new ApiException("behind",
							new Status(504, "Timeout", "Too large resource version: 5, current: 4",
									List.of(new Status.Cause("ResourceVersionTooLarge", "", "")), 1, true),
							Duration.ZERO));
		second.passDelay(1);
		second.recorder.awaitChanges("-b@5 unseen");
		assertThat(heard).allMatch((change) -> change.cause() == Change.Cause.RECOVERED);
		await().untilAsserted(() -> assertThat(second.recorder.synced).hasSize(1));
	}

	@Test
	void aRestoredMirrorHasSyncedWhenTheServerHasReachedItsVersion() throws Exception {
		Sinks.One<ListPage<ObjectVersion>> answer = Sinks.one();
		InformerFixture second = resumed(answer);
		answer.tryEmitValue(new ListPage<>(List.of(), "5", "", List.of()));
		await().until(second.informer::hasSynced);
		assertThat(second.source.lists).isEmpty();
	}

	@Test
	void aRestoredMirrorHasSyncedWhenTheQuestionCannotBeAnswered() throws Exception {
		Sinks.One<ListPage<ObjectVersion>> answer = Sinks.one();
		InformerFixture second = resumed(answer);
		answer.tryEmitEmpty();
		await().until(second.informer::hasSynced);
	}

	@Test
	void aLeaderThatCannotTakeOverSaysSo(CapturedOutput output) throws Exception {
		InformerFixture first = process("shape", "a");
		givenLeader(first, "5", Thing.of("a", "3"));
		InformerFixture second = process("shape", "b");
		second.start(InformerFixture.listing());
		second.source.nextWatch().added(Thing.of("b", "6"));
		second.awaitMirror("a@3", "b@6");
		// as if the process of the first hung
		this.leader = "b";
		second.takeOver();
		await().until(() -> second.informer.durability().lastError() != null);
		assertThat(second.informer.durability().lastError().message())
			.isEqualTo("another process still has the right to write the snapshot");
		assertThat(second.informer.isStandby()).isTrue();
		this.store.failure = new SnapshotException("no network", null);
		await().untilAsserted(() -> assertThat(output).contains(
				"another process still has the right to write the snapshot. This replica tries again, and delivers nothing")
			.contains(
					"its snapshot cannot be taken over. This replica tries again, and delivers nothing until that succeeds: no network"));
		assertThat(output).doesNotContain("its snapshot cannot be written");
		assertThat(second.informer.durability().lastError().message()).isEqualTo("no network");
		this.leader = "none";
		this.store.failure = null;
		second.informer.standBy().toCompletableFuture().get(30, TimeUnit.SECONDS);
		await().until(() -> second.informer.durability().lastError() == null);
	}

	@Test
	void aStandbyCannotResetTheSnapshot() throws Exception {
		InformerFixture standby = process("s", "b");
		standby.source.answer("5", Thing.of("a", "3"));
		standby.start(InformerFixture.listing());
		standby.source.nextWatch();
		standby.stop();
		assertThatIllegalStateException().isThrownBy(standby.informer::resetSnapshot)
			.withMessageContaining("is a standby");
		assertThat(this.store.open("things").claim()).isTrue();
	}

	@Test
	void aRetryIsNotMadeAfterTheLeadIsLost() throws Exception {
		InformerFixture replica = process("s", "a");
		replica.snapshot = null;
		List<String> attempts = new CopyOnWriteArrayList<>();
		replica.source.answer("5", Thing.of("a", "3"));
		replica.start(InformerFixture.listing());
		replica.source.nextWatch();
		replica.awaitMirror("a@3");
		replica.informer.addEventHandler(new ResourceEventHandler<Thing>() {

			@Override
			public void onChange(Change<Thing> change) {
			}

			@Override
			public void onChange(Change<Thing> change, DeliveryAttempts told) {
				attempts.add("first");
				DurableRecoveryTests.this.leader = "";
				told.failed(new IllegalStateException("not now"));
				told.again();
				attempts.add("second");
			}

		});
		this.leader = "a";
		replica.takeOver();
		await().until(() -> !attempts.isEmpty());
		replica.informer.standBy().toCompletableFuture().get(30, TimeUnit.SECONDS);
		assertThat(attempts).containsExactly("first");
	}

	@Test
	void standingByWaitsForACallThatIsNoChange() throws Exception {
		InformerFixture replica = process("s", "a");
		replica.snapshot = null;
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		replica.source.answer("5", Thing.of("a", "3"));
		replica.start(InformerFixture.listing());
		replica.source.nextWatch();
		replica.awaitMirror("a@3");
		replica.informer.addEventHandler(new ResourceEventHandler<Thing>() {
			@Override
			public void onChange(Change<Thing> change) {
			}

			@Override
			public void onSynced(String version) {
				called.countDown();
				try {
					goOn.await(30, TimeUnit.SECONDS);
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
				}
			}
		});
		this.leader = "a";
		replica.takeOver();
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		boolean quiet = replica.informer.standBy().toCompletableFuture().isDone();
		goOn.countDown();
		assertThat(quiet).isFalse();
	}

}
