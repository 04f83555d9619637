package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.reflector.ReflectorState;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.Recorder;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.TypeNotServedException;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.MirroredSlots;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.ShardOwnership;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.source.ShardedListerWatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests a reflector whose slots change while it runs: which objects it mirrors, and which
 * changes it delivers.
 */
class SlotDeliveryTests {

	private static final Slots SLOTS = new Slots(4);

	private static final TypeNotServedException NOT_SERVED = new TypeNotServedException(
			"the server does not serve example.com/v1 Thing");

	private MirroredSlots mirrored = new MirroredSlots(SLOTS, ShardField.NAMESPACE);

	private final AtomicLongArray epochs = new AtomicLongArray(new long[] { -1, -1, -1, -1 });

	private final List<Ownership> owners = new ArrayList<>();

	private final InformerFixture fixture = new InformerFixture();

	@BeforeEach
	void build() {
		build(this.fixture, InformerFixture.listing());
	}

	private void build(InformerFixture fixture, ReflectorOptions.Builder options) {
		fixture.slots = this.mirrored;
		fixture.ownership = new ShardOwnership() {

			@Override
			public Slots slots() {
				return SLOTS;
			}

			@Override
			public long epoch(int slot) {
				return SlotDeliveryTests.this.epochs.get(slot);
			}

		};
		fixture.listerWatcher = new ShardedListerWatcher<>("things", fixture.source,
				MetadataAccessor.forType(Thing.class), this.mirrored);
		fixture.build(options.build());
		fixture.informer.addEventHandler((change) -> {
			synchronized (this.owners) {
				this.owners.add(change.ownership());
			}
		});
	}

	@AfterEach
	void close() throws Exception {
		this.fixture.recorder.hook = (change) -> {
		};
		this.fixture.close();
	}

	/** A thing in a namespace that belongs to a slot. */
	private static Thing in(int slot, String name, String version) {
		int number = 0;
		while (SLOTS.slotOf("ns" + number) != slot) {
			number++;
		}
		return Thing.of("ns" + number, name, version, "");
	}

	private void mirror(Integer... slots) {
		this.fixture.informer.mirrorSlots(DesiredSlots.of(Set.of(slots)));
	}

	private void own(int slot, long epoch) {
		this.epochs.set(slot, epoch);
		this.fixture.informer.acquireSlot(slot, epoch);
	}

	private ScriptedSource.Stream start(String version, Thing... things) throws Exception {
		this.fixture.source.answer(version, things);
		this.fixture.informer.start();
		return this.fixture.source.nextWatch();
	}

	/** Waits until everything that the server has said is in the mirror. */
	private void settle(ScriptedSource.Stream watch, String version) {
		watch.bookmark(version);
		await().until(() -> this.fixture.informer.lister().hasReached(version));
	}

	private List<String> told() {
		return this.fixture.recorder.changes;
	}

	@Test
	void asksForNothingUntilItIsDecidedWhatToMirror() throws Exception {
		this.fixture.informer.start();
		await().until(() -> this.fixture.informer.state().name().equals("LISTING"));
		assertThat(this.fixture.source.lists).isEmpty();
		this.fixture.source.answer("5", in(1, "a", "3"));
		mirror(1);
		this.fixture.source.nextWatch();
		this.fixture.awaitMirror("a@3");
		assertThat(this.fixture.source.lists).singleElement()
			.satisfies((list) -> assertThat(list.shardSelector())
				.isEqualTo(SLOTS.selector(ShardField.NAMESPACE, Set.of(1)).toString()));
	}

	@Test
	void aReplicaWithoutSlotsIsInStepWithNothing() throws Exception {
		mirror();
		start("5", in(1, "a", "3"));
		await().until(this.fixture.informer::hasSynced);
		assertThat(this.fixture.mirror()).isEmpty();
	}

	@Test
	void mirrorsASlotAndTellsOfItWhenItIsOwned() throws Exception {
		mirror(1, 2);
		ScriptedSource.Stream watch = start("5", in(1, "a", "3"), in(2, "b", "4"), in(3, "other", "4"));
		settle(watch, "6");
		assertThat(this.fixture.mirror()).containsExactly("a@3", "b@4");
		assertThat(told()).isEmpty();
		own(2, 17);
		this.fixture.recorder.awaitChanges("+b@4 initial");
		watch.modified(in(1, "a", "7")).modified(in(2, "b", "8"));
		this.fixture.recorder.awaitChanges("+b@4 initial", "~b@4>b@8");
		await().until(() -> this.owners.size() == 2);
		assertThat(this.owners).containsOnly(new Ownership("replica", 2, 17));
		own(1, 18);
		this.fixture.recorder.awaitChanges("+b@4 initial", "~b@4>b@8", "+a@7 initial");
		assertThat(this.fixture.informer.shard()).satisfies((shard) -> {
			assertThat(shard.slots().all()).isEqualTo(4);
			assertThat(shard.slots().mirrored()).isEqualTo(2);
			assertThat(shard.slots().delivered()).isEqualTo(2);
		});
	}

	@Test
	void aSlotThatIsOwnedBeforeItIsMirroredBeginsWhenAllOfItIsThere() throws Exception {
		own(1, 3);
		mirror(1);
		assertThat(this.fixture.informer.shard().slots().delivered()).isZero();
		start("5", in(1, "a", "3"));
		this.fixture.recorder.awaitChanges("+a@3 initial");
	}

	@Test
	void aNewSlotIsListedEvenIfAListIsInProgressAndTheOthersGoOn() throws Exception {
		mirror(1);
		own(1, 3);
		own(2, 4);
		start("5", in(1, "a", "3"));
		this.fixture.recorder.awaitChanges("+a@3 initial");
		// never answered
		this.fixture.informer.relist();
		await().until(() -> this.fixture.source.lists.size() == 2);
		this.fixture.source.answer("9", in(1, "a", "3"), in(2, "b", "7"), in(1, "c", "8"));
		mirror(1, 2);
		ScriptedSource.Stream watch = this.fixture.source.nextWatch();
		this.fixture.recorder.awaitChanges("+a@3 initial", "+c@8", "+b@7 initial");
		watch.deleted(in(2, "b", "10"));
		this.fixture.recorder.awaitChanges("+a@3 initial", "+c@8", "+b@7 initial", "-b@10");
	}

	/** Who keys by name would lose the new object. */
	@Test
	void theDeletionOfAnObjectComesBeforeANewOneOfItsNameInAnotherSlot() throws Exception {
		this.mirrored = new MirroredSlots(SLOTS, ShardField.UID);
		this.fixture.close();
		InformerFixture byUid = new InformerFixture();
		try {
			build(byUid, InformerFixture.listing());
			byUid.informer.mirrorSlots(DesiredSlots.of(Set.of(1)));
			for (int slot = 1; slot <= 2; slot++) {
				this.epochs.set(slot, 3);
				byUid.informer.acquireSlot(slot, 3);
			}
			byUid.source.answer("5", Thing.of("a", "3").withUid(uidOf(1)));
			byUid.informer.start();
			byUid.source.nextWatch();
			byUid.recorder.awaitChanges("+a@3 initial");
			byUid.source.answer("9", Thing.of("a", "8").withUid(uidOf(2)));
			byUid.informer.mirrorSlots(DesiredSlots.of(Set.of(1, 2)));
			byUid.recorder.awaitChanges("+a@3 initial", "-a@3 unseen", "+a@8 initial");
		}
		finally {
			byUid.close();
		}
	}

	private static String uidOf(int slot) {
		int number = 0;
		while (SLOTS.slotOf("uid" + number) != slot) {
			number++;
		}
		return "uid" + number;
	}

	@Test
	void aChangeMayBeGoneOnWithAsLongAsItsSlotIsOwnedInTheSameEpoch() throws Exception {
		mirror(1, 2);
		own(2, 3);
		List<Change<Thing>> changes = new CopyOnWriteArrayList<>();
		this.fixture.recorder.hook = changes::add;
		start("5", in(2, "b", "4"));
		await().until(() -> changes.size() == 1);
		assertThat(this.fixture.informer.mayDeliver(changes.get(0))).isTrue();
		this.epochs.set(2, 4);
		assertThat(this.fixture.informer.mayDeliver(changes.get(0))).isFalse();
		this.fixture.informer.releaseSlot(2).toCompletableFuture().get(30, TimeUnit.SECONDS);
		own(2, 5);
		assertThat(this.fixture.informer.mayDeliver(changes.get(0))).isFalse();
	}

	@Test
	void aListThatWasAskedForBeforeASlotCameBackDoesNotCompleteIt() throws Exception {
		mirror(1, 2);
		own(2, 3);
		ScriptedSource.Stream first = start("5", in(1, "a", "3"), in(2, "b", "4"));
		this.fixture.recorder.awaitChanges("+b@4 initial");
		this.epochs.set(2, -1);
		this.fixture.informer.releaseSlot(2);
		mirror(1);
		this.fixture.awaitMirror("a@3");
		own(2, 9);
		first.modified(in(2, "b", "6"));
		mirror(1, 2);
		await().until(() -> this.fixture.source.lists.size() == 2);
		assertThat(told()).containsExactly("+b@4 initial");
		this.fixture.source.answer("9", in(1, "a", "3"), in(2, "b", "8"));
		this.fixture.informer.pause();
		this.fixture.informer.resume();
		this.fixture.recorder.awaitChanges("+b@4 initial", "+b@8 initial");
	}

	@Test
	void forgetsWhatIsNotMirroredAnyMoreAndTellsNobody() throws Exception {
		mirror(1, 2);
		own(1, 3);
		ScriptedSource.Stream watch = start("5", in(1, "a", "3"), in(2, "b", "4"));
		List<String> streamed = new CopyOnWriteArrayList<>();
		Disposable stream = this.fixture.informer.changes().subscribe((change) -> streamed.add(text(change)));
		await().until(() -> streamed.size() == 2);
		mirror(1);
		assertThat(this.fixture.mirror()).containsExactly("a@3");
		watch.modified(in(2, "b", "6")).added(in(2, "c", "7")).modified(in(1, "a", "8"));
		this.fixture.recorder.awaitChanges("+a@3 initial", "~a@3>a@8");
		await().until(() -> streamed.size() == 3);
		assertThat(this.fixture.mirror()).containsExactly("a@8");
		assertThat(this.fixture.source.lists).hasSize(1);
		assertThat(this.fixture.informer.status().counts().deleted()).isZero();
		stream.dispose();
	}

	@Test
	void afterSlotsWereGivenUpTheNextWatchAsksForTheRestAndTakesOver() throws Exception {
		InformerFixture overlapping = new InformerFixture();
		try {
			build(overlapping, InformerFixture.streaming().watchOverlap(Duration.ofSeconds(5)));
			overlapping.informer.mirrorSlots(DesiredSlots.of(Set.of(1, 2, 3)));
			overlapping.informer.start();
			ScriptedSource.Stream stream = overlapping.source.nextWatch();
			stream.added(in(1, "a", "3"));
			// one while the full state comes, the other one later
			overlapping.informer.mirrorSlots(DesiredSlots.of(Set.of(1, 2)));
			stream.endMarker("5");
			overlapping.awaitMirror("a@3");
			overlapping.informer.mirrorSlots(DesiredSlots.of(Set.of(1)));
			ScriptedSource.Stream next = nextWatch(overlapping);
			assertThat(next.options.shardSelector())
				.isEqualTo(SLOTS.selector(ShardField.NAMESPACE, Set.of(1)).toString());
			assertThat(next.options.resourceVersion()).isEqualTo("5");
			next.modified(in(1, "a", "8"));
			overlapping.awaitMirror("a@8");
			await().until(() -> stream.cancelled);
			assertThat(overlapping.handovers).hasValue(1);
			assertThat(overlapping.source.lists).isEmpty();
			assertThat(overlapping.source.hasOpenedWatch()).isFalse();
		}
		finally {
			overlapping.close();
		}
	}

	/** Lets the time pass after which a watch that delivers too much is replaced. */
	private static ScriptedSource.Stream nextWatch(InformerFixture fixture) throws Exception {
		Duration most = Duration.ofSeconds(4);
		await().until(() -> fixture.time.waiting()
			.stream()
			.anyMatch((delay) -> delay.compareTo(Duration.ofSeconds(2)) >= 0 && delay.compareTo(most) <= 0));
		fixture.time.advance(most);
		return fixture.source.nextWatch();
	}

	private static String text(Change<Thing> change) {
		return change.type() + " " + change.object();
	}

	@Test
	void aReleaseWaitsForTheCallAboutItsSlotAndDropsWhatWaits() throws Exception {
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		this.fixture.recorder.hook = (change) -> {
			called.countDown();
			awaitQuietly(goOn);
		};
		mirror(1, 2);
		own(1, 3);
		ScriptedSource.Stream watch = start("5", in(1, "a", "3"), in(1, "b", "4"), in(2, "c", "5"));
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		watch.added(in(1, "d", "6"));
		settle(watch, "7");
		own(2, 4);
		CompletableFuture<Void> other = this.fixture.informer.releaseSlot(2).toCompletableFuture();
		// waits for a call with c of the other handler, but not for the call about slot 1
		assertThat(other).succeedsWithin(Duration.ofSeconds(20));
		own(2, 5);
		this.epochs.set(1, -1);
		CompletableFuture<Void> released = this.fixture.informer.releaseSlot(1).toCompletableFuture();
		assertThat(released).isNotDone();
		goOn.countDown();
		released.get(30, TimeUnit.SECONDS);
		await().until(() -> told().size() == 2);
		settle(watch, "8");
		assertThat(told().get(1)).isEqualTo("+c@5 initial");
		await().until(() -> this.fixture.informer.status().queueDepth() == 0);
		own(1, 9);
		await().until(() -> told().size() == 5);
		assertThat(told().subList(2, 5)).containsExactlyInAnyOrder("+a@3 initial", "+b@4 initial", "+d@6 initial");
	}

	@Test
	void noCallBeginsAfterTheSlotIsLost() throws Exception {
		this.fixture.recorder.hook = (change) -> this.epochs.set(1, -1);
		mirror(1);
		own(1, 3);
		ScriptedSource.Stream watch = start("5", in(1, "a", "3"), in(1, "b", "4"));
		await().until(() -> told().size() == 1);
		watch.added(in(1, "c", "6"));
		settle(watch, "7");
		await().until(() -> this.fixture.informer.status().queueDepth() == 0);
		assertThat(told()).hasSize(1);
		this.fixture.recorder.hook = (change) -> {
		};
		// handlers have not begun with the next epoch of the slot
		this.epochs.set(1, 8);
		watch.added(in(1, "d", "8"));
		settle(watch, "9");
		await().until(() -> this.fixture.informer.status().queueDepth() == 0);
		assertThat(told()).hasSize(1);
		this.fixture.informer.releaseSlot(1);
		own(1, 8);
		await().until(() -> told().size() == 5);
	}

	@Test
	void noFurtherAttemptIsMadeInALaterEpoch() throws Exception {
		List<String> attempts = new CopyOnWriteArrayList<>();
		this.fixture.informer.addEventHandler(new ResourceEventHandler<>() {

			@Override
			public void onChange(Change<Thing> change) {
				throw new IllegalStateException("attempts are told");
			}

			@Override
			public void onChange(Change<Thing> change, DeliveryAttempts told) {
				attempts.add(change.object() + " in " + change.ownership().epoch());
				if (change.ownership().epoch() == 3) {
					told.failed(new IllegalStateException("once"));
					SlotDeliveryTests.this.fixture.informer.releaseSlot(1);
					own(1, 9);
					told.again();
					attempts.add("again");
				}
			}

		});
		mirror(1);
		own(1, 3);
		start("5", in(1, "a", "3"));
		await().untilAsserted(() -> assertThat(attempts).containsExactly("a@3 in 3", "a@3 in 9"));
	}

	@Test
	void aHandlerThatComesLateBeginsWithTheSlotsThatAreOwned() throws Exception {
		mirror(1, 2);
		own(2, 3);
		start("5", in(1, "a", "3"), in(2, "b", "4"));
		this.fixture.recorder.awaitChanges("+b@4 initial");
		Recorder late = new Recorder();
		this.fixture.informer.addEventHandler(late);
		late.awaitChanges("+b@4 initial");
		own(1, 4);
		late.awaitChanges("+b@4 initial", "+a@3 initial");
	}

	@Test
	void slotsAreKeptWhenTheReflectorIsStartedAgain() throws Exception {
		mirror(1, 2);
		own(1, 3);
		start("5", in(1, "a", "3"), in(2, "b", "4"));
		this.fixture.recorder.awaitChanges("+a@3 initial");
		this.fixture.stop();
		mirror(1);
		start("9", in(1, "a", "7"), in(2, "b", "8"));
		this.fixture.recorder.awaitChanges("+a@3 initial", "~a@3>a@7");
		assertThat(this.fixture.mirror()).containsExactly("a@7");
	}

	@Test
	void cannotBeComparedWithTheServerWhileASlotIsNotMirroredYet() throws Exception {
		mirror(1);
		start("5", in(1, "a", "3"));
		this.fixture.awaitMirror("a@3");
		mirror(1, 2);
		assertThat(this.fixture.informer.verify().toCompletableFuture().get(30, TimeUnit.SECONDS).scopes())
			.singleElement()
			.satisfies(
					(scope) -> assertThat(scope.message()).isEqualTo("not all objects of its slots are mirrored yet"));
	}

	private Set<Integer> undelivered() {
		return this.fixture.informer.undeliveredSlots(Duration.ofMinutes(1)).keySet();
	}

	@Test
	void slotsOfAReflectorThatDoesNotFollowTheServerAreNotDelivered() throws Exception {
		mirror(1, 2);
		start("5", in(1, "a", "3"));
		own(1, 7);
		await().until(() -> told().contains("+a@3 initial"));
		assertThat(undelivered()).isEmpty();
		this.fixture.informer.pause();
		await().until(() -> this.fixture.informer.state() == ReflectorState.PAUSED);
		assertThat(undelivered()).containsExactly(1);
		this.fixture.informer.resume();
		await().until(() -> undelivered().isEmpty());
		this.fixture.source.failList(NOT_SERVED);
		this.fixture.informer.relist();
		await().until(() -> this.fixture.informer.state() == ReflectorState.AWAITING_TYPE);
		assertThat(undelivered()).as("the type was there, and what became of its objects is not known")
			.containsExactly(1);
		this.fixture.stop();
		assertThat(undelivered()).containsExactly(1);
		own(2, 8);
		assertThat(undelivered()).containsExactly(1, 2);
	}

	/** An application can do without an optional type. */
	@Test
	void ofATypeThatWasNeverServedThereIsNothingToDeliver() {
		mirror(1);
		this.fixture.source.failList(NOT_SERVED);
		this.fixture.informer.start();
		own(1, 7);
		await().until(() -> this.fixture.informer.state() == ReflectorState.AWAITING_TYPE);
		assertThat(undelivered()).isEmpty();
	}

	@Test
	void slotsOfAHandlerThatIsToldNothingMoreAreNotDelivered() throws Exception {
		mirror(1);
		this.fixture.recorder.hook = (change) -> {
			throw new DeliveryStoppedException("enough", new IllegalStateException());
		};
		start("5", in(1, "a", "3"));
		own(1, 7);
		await().until(() -> this.fixture.informer.status().deliveryStopped() != null);
		await().until(() -> undelivered().contains(1));
		this.fixture.recorder.hook = (change) -> {
		};
		this.fixture.informer.resume();
		await().until(() -> undelivered().isEmpty());
	}

	@Test
	void onlyAnInformerWithSlotsHasThem() {
		InformerFixture plain = new InformerFixture();
		plain.build(InformerFixture.listing().build());
		assertThatIllegalStateException().isThrownBy(() -> plain.informer.mirrorSlots(DesiredSlots.NONE))
			.withMessageContaining("does not follow slots");
		assertThatIllegalStateException().isThrownBy(() -> plain.informer.acquireSlot(0, 1));
		assertThatIllegalStateException().isThrownBy(() -> plain.informer.releaseSlot(0));
		assertThatIllegalStateException().isThrownBy(this.fixture::takeOver);
		assertThat(Arrays.asList(plain.informer.shard())).containsOnlyNulls();
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
