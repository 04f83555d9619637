package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.internal.store.SkippedVersions;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.fixture.MemorySnapshots;
import dev.reflector.sharding.DesiredSlots;
import dev.reflector.sharding.MirroredSlots;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.ShardOwnership;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.source.ShardedListerWatcher;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Tests durable slots: the next owner of a slot resumes after the changes that the
 * handlers of the previous owner have completed.
 */
@ExtendWith(OutputCaptureExtension.class)
class DurableSlotsTests {

	private static final Slots SLOTS = new Slots(4);

	private final Map<String, MemorySnapshots> stores = new ConcurrentHashMap<>();

	private Duration announceTimeout = Duration.ofSeconds(1);

	private final Map<Integer, String> owners = new ConcurrentHashMap<>();

	private final List<InformerFixture> fixtures = new ArrayList<>();

	private final SnapshotStore store = new SnapshotStore() {

		@Override
		public Snapshot open(String reflector) {
			return DurableSlotsTests.this.stores.computeIfAbsent(reflector, (name) -> new MemorySnapshots())
				.open(reflector);
		}

		@Override
		public String location() {
			return "the memory of the test";
		}

	};

	private String shape = "shape";

	private long epoch;

	private String[] namespaces = {};

	@AfterEach
	void close() throws Exception {
		this.stores.values().forEach(MemorySnapshots::answer);
		for (InformerFixture fixture : this.fixtures) {
			fixture.recorder.hook = (change) -> {
			};
			fixture.close();
			fixture.informer.close();
		}
	}

	private MemorySnapshots stored(int slot) {
		return this.stores.computeIfAbsent("things slot " + slot + " of 4 by namespace",
				(name) -> new MemorySnapshots());
	}

	private InformerFixture replica(String name, Integer... slots) {
		return replica(name, "", slots);
	}

	/** A replica whose time passes only when a test says so. */
	private InformerFixture unhurried(String name, Integer... slots) {
		InformerFixture fixture = new InformerFixture();
		fixture.hurried = false;
		return replica(fixture, name, "", slots);
	}

	private InformerFixture replica(String name, String application, Integer... slots) {
		return replica(new InformerFixture(), name, application, slots);
	}

	private InformerFixture replica(InformerFixture fixture, String name, String application, Integer... slots) {
		fixture.slots = new MirroredSlots(SLOTS, ShardField.NAMESPACE);
		fixture.ownership = new ShardOwnership() {

			@Override
			public Slots slots() {
				return SLOTS;
			}

			@Override
			public long epoch(int slot) {
				String owner = DurableSlotsTests.this.owners.getOrDefault(slot, "");
				return owner.startsWith(name + "@") ? Long.parseLong(owner.substring(name.length() + 1)) : NOT_OWNED;
			}

		};
		fixture.snapshot = SnapshotOptions.builder(this.store, ThingCodec.of(this.shape))
			.commitInterval(Duration.ofMillis(1))
			.application(application)
			.announceTimeout(this.announceTimeout)
			.build();
		fixture.listerWatcher = new ShardedListerWatcher<>("things", fixture.source,
				MetadataAccessor.forType(Thing.class), fixture.slots);
		this.fixtures.add(fixture);
		fixture.build(InformerFixture.listing().build(), this.namespaces);
		fixture.informer.mirrorSlots(DesiredSlots.of(Set.of(slots)));
		return fixture;
	}

	private static Thing in(int slot, String name, String version) {
		int number = 0;
		while (SLOTS.slotOf("ns" + number) != slot) {
			number++;
		}
		return Thing.of("ns" + number, name, version, "");
	}

	private static ScriptedSource.Stream start(InformerFixture fixture, String version, Thing... things)
			throws Exception {
		fixture.source.answer(version, things);
		fixture.informer.start();
		return fixture.source.nextWatch();
	}

	private void own(InformerFixture fixture, String name, int slot) {
		this.epoch++;
		this.owners.put(slot, name + "@" + this.epoch);
		fixture.informer.acquireSlot(slot, this.epoch);
	}

	private void release(InformerFixture fixture, int slot) throws Exception {
		this.owners.remove(slot);
		fixture.informer.releaseSlot(slot).toCompletableFuture().get(30, TimeUnit.SECONDS);
	}

	private void awaitStored(int slot, String stored) {
		await().untilAsserted(() -> assertThat(stored(slot).stored()).startsWith(stored));
	}

	@Test
	void theNextOwnerTellsWhatTheOneBeforeHasNot() throws Exception {
		InformerFixture first = replica("a", 1, 2);
		start(first, "5", in(1, "a", "3"), in(1, "b", "4"), in(2, "other", "4"));
		own(first, "a", 1);
		awaitStored(1, "[a@3, b@4] {=5}");
		assertThat(first.recorder.changes).containsExactlyInAnyOrder("+a@3 initial", "+b@4 initial");
		assertThat(stored(2).stored()).isEqualTo("[]");
		InformerFixture second = replica("b", 1);
		ScriptedSource.Stream watch = start(second, "5", in(1, "a", "3"), in(1, "b", "4"));
		watch.deleted(in(1, "b", "6")).added(in(1, "c", "7")).modified(in(1, "a", "8"));
		second.awaitMirror("a@8", "c@7");
		assertThat(second.recorder.changes).isEmpty();
		release(first, 1);
		own(second, "b", 1);
		second.recorder.awaitChanges("-b@4 unseen", "+c@7", "~a@3>a@8");
		awaitStored(1, "[a@8, c@7]");
		watch.added(in(1, "d", "9"));
		second.recorder.awaitChanges("-b@4 unseen", "+c@7", "~a@3>a@8", "+d@9");
		awaitStored(1, "[a@8, c@7, d@9]");
		// the status shows a commit after the store has it
		await().untilAsserted(() -> assertThat(second.informer.durability()).satisfies((status) -> {
			assertThat(status.writing()).isTrue();
			assertThat(status.size()).isEqualTo(3);
			assertThat(status.location()).isEqualTo("the memory of the test");
		}));
		assertThat(first.informer.durability().writing()).isFalse();
		assertThat(second.source.lists).hasSize(1);
	}

	@Test
	void anObjectThatWasToldAndNotStoredAsCompletedIsToldAsDeleted() throws Exception {
		InformerFixture first = replica("a", 1);
		ScriptedSource.Stream watch = start(first, "5", in(1, "a", "3"));
		own(first, "a", 1);
		awaitStored(1, "[a@3] {=5}");
		CountDownLatch goOn = new CountDownLatch(1);
		first.recorder.hook = (change) -> awaitQuietly(goOn);
		watch.added(in(1, "b", "6"));
		awaitStored(1, "[a@3, b@6?]");
		// as if its process had ended
		this.owners.remove(1);
		stored(1).release();
		InformerFixture second = replica("b", 1);
		start(second, "7", in(1, "a", "3"));
		own(second, "b", 1);
		second.recorder.awaitChanges("-b@6 unseen");
		awaitStored(1, "[a@3]");
		goOn.countDown();
	}

	@Test
	void whatIsDroppedWhenASlotIsLostIsNotStoredAsCompleted() throws Exception {
		InformerFixture first = replica("a", 1);
		ScriptedSource.Stream watch = start(first, "5", in(1, "a", "3"));
		own(first, "a", 1);
		awaitStored(1, "[a@3] {=5}");
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		first.recorder.hook = (change) -> {
			called.countDown();
			awaitQuietly(goOn);
		};
		watch.modified(in(1, "a", "6"));
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		watch.modified(in(1, "a", "7")).deleted(in(1, "a", "8"));
		await().until(() -> first.mirror().isEmpty());
		this.owners.remove(1);
		goOn.countDown();
		await().until(() -> first.informer.status().queueDepth() == 0);
		release(first, 1);
		assertThat(stored(1).stored()).startsWith("[a@");
		InformerFixture second = replica("b", 1);
		start(second, "9");
		own(second, "b", 1);
		await().until(() -> second.recorder.changes.size() == 1);
		assertThat(second.recorder.changes.get(0)).startsWith("-a@");
		assertThat(first.recorder.changes).noneMatch((change) -> change.startsWith("-"));
	}

	@Test
	void aReleaseDoesNotEndBeforeTheSnapshotIsGivenUp() throws Exception {
		InformerFixture first = replica("a", 1);
		start(first, "5", in(1, "a", "3"));
		own(first, "a", 1);
		awaitStored(1, "[a@3] {=5}");
		InformerFixture second = replica("b", 1);
		start(second, "5", in(1, "a", "3"));
		// by mistake at once: the snapshot still belongs to the first
		own(second, "b", 1);
		await().until(() -> !second.informer.durability().writing());
		assertThat(second.recorder.changes).isEmpty();
		CompletableFuture<Void> released = first.informer.releaseSlot(1).toCompletableFuture();
		released.get(30, TimeUnit.SECONDS);
		await().until(() -> second.informer.durability().writing());
		assertThat(second.recorder.changes).isEmpty();
	}

	@Test
	void anOwnerOfAnotherApplicationDeliversNothingUntilTheFirstIsGone() throws Exception {
		InformerFixture first = replica("a", "shop", 1);
		start(first, "5", in(1, "a", "3"));
		own(first, "a", 1);
		awaitStored(1, "[a@3] {=5}");
		InformerFixture second = replica("b", "billing", 1);
		ScriptedSource.Stream watch = start(second, "5", in(1, "a", "3"));
		watch.added(in(1, "b", "6"));
		// each application has its own Leases
		own(second, "b", 1);
		await().until(() -> "shop".equals(second.informer.durability().heldBy()));
		assertThat(second.recorder.changes).isEmpty();
		first.informer.releaseSlot(1).toCompletableFuture().get(30, TimeUnit.SECONDS);
		second.recorder.awaitChanges("+b@6");
		awaitStored(1, "[a@3, b@6] {=6}");
		assertThat(second.informer.durability().heldBy()).isNull();
	}

	@Test
	void anOwnerThatLosesItsSnapshotToAnotherApplicationStopsDelivering() throws Exception {
		InformerFixture first = replica("a", "shop", 1, 2);
		ScriptedSource.Stream watch = start(first, "5", in(1, "a", "3"), in(2, "other", "4"));
		own(first, "a", 1);
		own(first, "a", 2);
		awaitStored(1, "[a@3] {=5}");
		awaitStored(2, "[other@4] {=5}");
		// as if the session that holds the claim had ended
		stored(1).release();
		InformerFixture second = replica("b", "billing", 1);
		start(second, "6", in(1, "a", "3"), in(1, "b", "6"));
		this.owners.put(1, "b@1");
		second.informer.acquireSlot(1, 1);
		awaitStored(1, "[a@3, b@6] {=6}");
		// each application has its own Leases
		this.owners.put(1, "a@1");
		watch.added(in(1, "b", "6"));
		await().until(() -> "billing".equals(first.informer.durability().heldBy()));
		await().until(() -> first.informer.undeliveredSlots(Duration.ofMinutes(1)).containsKey(1));
		watch.added(in(1, "c", "7")).modified(in(2, "other", "8"));
		awaitStored(2, "[other@8] {=8}");
		assertThat(first.recorder.changes).contains("~other@4>other@8").noneMatch((change) -> change.contains("c@7"));
		second.informer.releaseSlot(1).toCompletableFuture().get(30, TimeUnit.SECONDS);
		awaitStored(1, "[a@3, b@6, c@7] {=8}");
		assertThat(first.recorder.changes).containsOnlyOnce("+c@7");
		assertThat(first.informer.durability().heldBy()).isNull();
		assertThat(stored(1).header().application()).isEqualTo("shop");
	}

	/**
	 * Only the namespace with a change has a commit, which finds that the store was
	 * restored.
	 */
	@Test
	void aStoreThatIsPutBackIsWrittenAgainForEachNamespace() throws Exception {
		this.namespaces = IntStream.range(0, 100)
			.mapToObj((number) -> "ns" + number)
			.filter((namespace) -> SLOTS.slotOf(namespace) == 1)
			.limit(2)
			.sorted()
			.toArray(String[]::new);
		InformerFixture first = replica("a", 1);
		first.source.answerInNamespace("5", "a").answerInNamespace("5", "a");
		first.informer.start();
		Map<String, ScriptedSource.Stream> watches = new HashMap<>();
		for (ScriptedSource.Stream watch : List.of(first.source.nextWatch(), first.source.nextWatch())) {
			watches.put(watch.options.namespace(), watch);
		}
		own(first, "a", 1);
		String one = this.namespaces[0];
		String two = this.namespaces[1];
		awaitStored(1, "[a@5, a@5] {" + one + "=5, " + two + "=5}");
		Runnable restore = stored(1).dump();
		watches.get(one).modified(Thing.of(one, "a", "6", ""));
		watches.get(two).modified(Thing.of(two, "a", "7", ""));
		awaitStored(1, "[a@6, a@7] {" + one + "=6, " + two + "=7}");
		restore.run();
		watches.get(one).added(Thing.of(one, "b", "8", ""));
		awaitStored(1, "[a@6, b@8, a@7] {" + one + "=8, " + two + "=7}");
	}

	@Test
	void aReleaseThatEndsLateDoesNotTakeTheSnapshotFromALaterEpoch() throws Exception {
		InformerFixture first = replica("a", 1);
		ScriptedSource.Stream watch = start(first, "5", in(1, "a", "3"));
		own(first, "a", 1);
		awaitStored(1, "[a@3] {=5}");
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		first.recorder.hook = (change) -> {
			called.countDown();
			awaitQuietly(goOn);
		};
		watch.modified(in(1, "a", "6"));
		assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
		this.owners.remove(1);
		CompletableFuture<Void> released = first.informer.releaseSlot(1).toCompletableFuture();
		own(first, "a", 1);
		assertThat(released).isNotDone();
		goOn.countDown();
		released.get(30, TimeUnit.SECONDS);
		watch.added(in(1, "b", "7"));
		awaitStored(1, "[a@6, b@7]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "shape", "shape of a new release" })
	void anOwnerWaitsUntilItsMirrorHasReachedWhatIsStored(String shape, CapturedOutput output) throws Exception {
		InformerFixture first = replica("a", 1);
		ScriptedSource.Stream watch = start(first, "5", in(1, "a", "3"));
		own(first, "a", 1);
		watch.modified(in(1, "a", "7")).added(in(1, "b", "8"));
		awaitStored(1, "[a@7, b@8] {=8}");
		release(first, 1);
		this.shape = shape;
		InformerFixture second = unhurried("b", 1);
		ScriptedSource.Stream late = start(second, "5", in(1, "a", "3"));
		own(second, "b", 1);
		await().until(() -> output.getOut().contains("until its mirror has reached resource version 8"));
		late.modified(in(1, "a", "7")).added(in(1, "b", "8")).added(in(1, "c", "9"));
		second.awaitMirror("a@7", "b@8", "c@9");
		await().until(() -> {
			second.time.advance(Duration.ofMillis(100));
			return stored(1).stored().equals("[a@7, b@8, c@9] {=9}");
		});
		assertThat(second.recorder.changes).containsExactly("+c@9");
	}

	/**
	 * An owner that returns waits for the whole time again: its earlier wait does not
	 * count.
	 */
	@Test
	void anOwnerThatReturnsWaitsAnewForItsMirror(CapturedOutput output) throws Exception {
		InformerFixture first = replica("a", 1);
		ScriptedSource.Stream watch = start(first, "5", in(1, "a", "3"));
		own(first, "a", 1);
		watch.added(in(1, "b", "8"));
		awaitStored(1, "[a@3, b@8] {=8}");
		release(first, 1);
		InformerFixture second = unhurried("b", 1);
		start(second, "5", in(1, "a", "3"));
		String waits = "waits up to 30 s until its mirror has reached resource version 8";
		own(second, "b", 1);
		await().untilAsserted(() -> assertThat(output.getOut().split(waits, -1)).hasSize(2));
		second.time.advance(Duration.ofSeconds(29));
		release(second, 1);
		own(second, "b", 1);
		await().untilAsserted(() -> assertThat(output.getOut().split(waits, -1)).hasSize(3));
		assertThat(second.informer.undeliveredSlots(Duration.ofMinutes(1))).containsKey(1);
		second.time.advance(Duration.ofSeconds(30));
		await().until(() -> {
			// the next look may have been set for a time after the 30 seconds
			second.time.advance(Duration.ofMillis(100));
			return second.informer.undeliveredSlots(Duration.ofMinutes(1)).isEmpty();
		});
	}

	/** The server was set back, so the versions do not show what still exists. */
	@Test
	void anOwnerWhoseMirrorDoesNotReachWhatIsStoredAsksForTheNewestState() throws Exception {
		InformerFixture first = replica("a", 1);
		ScriptedSource.Stream watch = start(first, "5", in(1, "a", "3"));
		own(first, "a", 1);
		watch.added(in(1, "b", "90"));
		awaitStored(1, "[a@3, b@90] {=90}");
		release(first, 1);
		InformerFixture second = unhurried("b", 1);
		start(second, "9", in(1, "a", "3"));
		second.source.answer("10", in(1, "a", "3"));
		own(second, "b", 1);
		await().until(() -> {
			second.time.advance(Duration.ofSeconds(10));
			return second.source.lists.size() == 2;
		});
		second.recorder.awaitChanges("-b@90 unknown");
		assertThat(second.listVersions()).last().isEqualTo("");
	}

	@Test
	void aSlotWaitsForAStoreThatFails() throws Exception {
		InformerFixture first = replica("a", 1, 2);
		stored(1).failure = new SnapshotException("no disk", null);
		start(first, "5", in(1, "a", "3"), in(2, "b", "4"));
		own(first, "a", 1);
		own(first, "a", 2);
		first.recorder.awaitChanges("+b@4 initial");
		await().until(() -> first.informer.durability().lastError() != null);
		stored(1).failure = null;
		first.recorder.awaitChanges("+b@4 initial", "+a@3 initial");
		awaitStored(1, "[a@3] {=5}");
	}

	@Test
	void aHandlerThatHasStoppedGoesOnFromWhatAllHaveCompleted() throws Exception {
		InformerFixture first = replica("a", 1, 2);
		ScriptedSource.Stream watch = start(first, "5", in(1, "a", "3"), in(2, "b", "4"));
		own(first, "a", 1);
		own(first, "a", 2);
		await().until(() -> first.recorder.changes.size() == 2);
		awaitStored(1, "[a@3] {=5}");
		awaitStored(2, "[b@4] {=5}");
		first.recorder.hook = (change) -> {
			throw new DeliveryStoppedException("asked to", null);
		};
		watch.modified(in(1, "a", "6")).deleted(in(2, "b", "7"));
		await().until(() -> first.informer.status().deliveryStopped() != null);
		first.recorder.hook = (change) -> {
		};
		first.recorder.changes.clear();
		first.informer.resume();
		await().until(() -> first.recorder.changes.size() == 2);
		assertThat(first.recorder.changes).containsExactlyInAnyOrder("~a@3>a@6", "-b@4 unseen");
		awaitStored(1, "[a@6]");
		awaitStored(2, "[]");
	}

	@Test
	void slotsStayWithAReflectorThatIsStartedAgain() throws Exception {
		InformerFixture first = replica("a", 1);
		start(first, "5", in(1, "a", "3"));
		own(first, "a", 1);
		first.recorder.awaitChanges("+a@3 initial");
		first.stop();
		assertThat(stored(1).stored()).startsWith("[a@3] {=5}");
		start(first, "7", in(1, "b", "6"));
		first.recorder.awaitChanges("+a@3 initial", "-a@3 unseen", "+b@6 initial");
		awaitStored(1, "[b@6]");
		first.stop();
		release(first, 1);
		assertThat(first.informer.durability().writing()).isFalse();
		assertThatIllegalStateException().isThrownBy(first.informer::resetSnapshot)
			.withMessageContaining("has a snapshot for each slot");
	}

	/** The run that ends may only then take over what is released to the next one. */
	@Test
	void aSlotThatIsReleasedBetweenTwoRunsIsNotClaimedByTheOneThatEnds() throws Exception {
		InformerFixture first = unhurried("a", 0, 1);
		stored(0).hang();
		own(first, "a", 0);
		own(first, "a", 1);
		start(first, "5", in(0, "a", "3"), in(1, "b", "4"));
		// both are ready, and the second waits for the first
		await().until(() -> stored(0).waiting.get() > 0);
		CompletableFuture<Void> stopped = first.informer.stop().toCompletableFuture();
		first.source.answer("6", in(0, "a", "3"), in(1, "b", "4"));
		first.informer.start();
		release(first, 1);
		stored(0).answer();
		stopped.get(30, TimeUnit.SECONDS);
		first.source.nextWatch();
		InformerFixture second = replica("b", 1);
		start(second, "6", in(1, "b", "4"));
		own(second, "b", 1);
		second.recorder.awaitChanges("+b@4 initial");
		assertThat(first.recorder.changes).noneMatch((change) -> change.contains("b@4"));
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await(30, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void slotsWaitTogetherForAStoreThatHangsAndATakeoverWaitsAsLongAsItDoes() throws Exception {
		InformerFixture a = replica("a", 0, 1, 2);
		ScriptedSource.Stream watch = start(a, "5", in(0, "a", "3"), in(1, "b", "4"), in(2, "c", "5"));
		own(a, "a", 0);
		own(a, "a", 1);
		awaitStored(0, "[a@3] {=5}");
		awaitStored(1, "[b@4] {=5}");
		a.recorder.awaitChanges("+a@3 initial", "+b@4 initial");
		List.of(0, 1, 2).forEach((slot) -> stored(slot).hang());
		watch.added(in(0, "d", "6")).added(in(1, "e", "7"));
		await().until(() -> stored(0).waiting.get() + stored(1).waiting.get() > 0);
		a.time.advance(Duration.ofSeconds(20));
		await().until(() -> a.recorder.changes.size() == 4);
		assertThat(a.recorder.changes).contains("+d@6", "+e@7");
		await().until(() -> a.informer.durability().behindSince() != null);
		assertThat(a.informer.durability().lastError()).isNotNull();
		own(a, "a", 2);
		watch.modified(in(0, "d", "8"));
		await().until(() -> a.recorder.changes.size() == 5);
		assertThat(a.recorder.changes).noneMatch((change) -> change.contains("c@5"));
		List.of(0, 1, 2).forEach((slot) -> stored(slot).answer());
		awaitStored(0, "[a@3, d@8] {=8}");
		awaitStored(1, "[b@4, e@7] {=8}");
		await().until(() -> a.recorder.changes.contains("+c@5 initial"));
		await().until(() -> a.informer.durability().behindSince() == null);
	}

	@Test
	void aStopDoesNotWaitForAStoreThatIsSilent() throws Exception {
		InformerFixture a = unhurried("a", 1);
		ScriptedSource.Stream watch = start(a, "5", in(1, "a", "3"));
		own(a, "a", 1);
		await().until(() -> {
			a.time.advance(Duration.ofMillis(1));
			return stored(1).stored().startsWith("[a@3] {=5}");
		});
		stored(1).hang();
		watch.modified(in(1, "a", "6"));
		await().until(() -> {
			a.time.advance(Duration.ofMillis(1));
			return stored(1).waiting.get() > 0;
		});
		a.time.advance(Duration.ofSeconds(1));
		a.stop();
		assertThat(a.recorder.changes).containsExactly("+a@3 initial", "~a@3>a@6");
		stored(1).answer();
	}

	@Test
	void aReleaseDoesNotWaitForAStoreThatIsSilent() throws Exception {
		InformerFixture a = unhurried("a", 1);
		ScriptedSource.Stream watch = start(a, "5", in(1, "a", "3"));
		own(a, "a", 1);
		await().until(() -> {
			a.time.advance(Duration.ofMillis(1));
			return stored(1).stored().startsWith("[a@3] {=5}");
		});
		stored(1).hang();
		watch.modified(in(1, "a", "6"));
		await().until(() -> {
			a.time.advance(Duration.ofMillis(1));
			return stored(1).waiting.get() > 0;
		});
		a.time.advance(Duration.ofSeconds(1));
		release(a, 1);
		InformerFixture b = replica("b", 1);
		start(b, "7", in(1, "b", "7"));
		own(b, "b", 1);
		stored(1).answer();
		// the hanging commit is stored before the next owner reads
		b.recorder.awaitChanges("-a@6 unseen", "+b@7");
	}

	@Test
	void aReleaseDoesNotWaitForATakeoverFromAStoreThatIsSilent() throws Exception {
		InformerFixture a = unhurried("a", 1);
		stored(1).hang();
		start(a, "5", in(1, "a", "3"));
		own(a, "a", 1);
		await().until(() -> stored(1).waiting.get() > 0);
		a.time.advance(Duration.ofSeconds(1));
		release(a, 1);
		InformerFixture b = replica("b", 1);
		start(b, "5", in(1, "a", "3"));
		own(b, "b", 1);
		stored(1).answer();
		b.recorder.awaitChanges("+a@3 initial");
		assertThat(a.recorder.changes).isEmpty();
	}

	@Test
	void theSlotsOfABatchWaitOnceForAStoreThatFailsSlowly() throws Exception {
		List<Integer> slots = List.of(0, 1, 2, 3);
		InformerFixture a = replica("a", 0, 1, 2, 3);
		Thing[] first = slots.stream().map((slot) -> in(slot, "a" + slot, "3")).toArray(Thing[]::new);
		ScriptedSource.Stream watch = start(a, "5", first);
		for (int slot : slots) {
			own(a, "a", slot);
			awaitStored(slot, "[a" + slot + "@3] {=5}");
		}
		await().until(() -> a.recorder.changes.size() == 4);
		await().until(() -> a.informer.durability().behindSince() == null);
		AtomicInteger attempts = new AtomicInteger();
		AtomicInteger attemptsBefore = new AtomicInteger(-1);
		slots.forEach((slot) -> stored(slot).beforeCommit = () -> {
			attempts.incrementAndGet();
			a.time.advance(Duration.ofSeconds(18));
			throw new SnapshotException("slow", null);
		});
		a.recorder.hook = (change) -> attemptsBefore.compareAndSet(-1, attempts.get());
		// a list is one batch
		a.source.answer("9", Stream.concat(Stream.of(first), slots.stream().map((slot) -> in(slot, "b" + slot, "8")))
			.toArray(Thing[]::new));
		watch.error(410, "Expired");
		a.passDelay(1);
		await().until(() -> a.recorder.changes.size() == 8);
		assertThat(attemptsBefore.get()).isBetween(1, 2);
		slots.forEach((slot) -> stored(slot).beforeCommit = () -> {
		});
		for (int slot : slots) {
			awaitStored(slot, "[a" + slot + "@3, b" + slot + "@8] {=9}");
		}
	}

	@Test
	void theNextOwnerDecidesByItsMirrorAboutWhatItCannotRead() throws Exception {
		InformerFixture first = replica("a", 1);
		start(first, "9", in(1, "a", "3"), in(1, "b", "4"), in(1, "c", "5"), in(1, "d", "6"), in(1, "e", "7"));
		own(first, "a", 1);
		awaitStored(1, "[a@3, b@4, c@5, d@6, e@7] {=9}");
		String namespace = String.valueOf(in(1, "a", "3").metadata().namespace());
		List.of("a", "b", "c", "d").forEach((name) -> stored(1).damage(ResourceKey.of(namespace, name)));
		InformerFixture second = replica("b", 1);
		// e is stored in a form that can be read, and the server has another
		List<SkippedObject> skipped = List.of(new SkippedObject(ResourceKey.of(namespace, "c"), "5", "unreadable"),
				new SkippedObject(ResourceKey.of(namespace, "e"), "8", "unreadable"));
		second.source.answerWith(
				(options) -> Mono.just(new ListPage<>(List.of(in(1, "a", "3"), in(1, "b", "10")), "20", "", skipped)));
		second.informer.start();
		ScriptedSource.Stream watch = second.source.nextWatch();
		release(first, 1);
		own(second, "b", 1);
		second.recorder.awaitChanges("-d@6 unknown", "+b@10");
		awaitStored(1, "[a@3, b@10, c@5, e@7] {=20}");
		await().until(() -> second.informer.durability().contentUnknown() == 2);
		watch.send(new WatchEvent.Skipped<>("DELETED",
				new SkippedObject(ResourceKey.of(namespace, "c"), "21", "unreadable")));
		watch.send(new WatchEvent.Skipped<>("DELETED",
				new SkippedObject(ResourceKey.of(namespace, "e"), "22", "unreadable")));
		second.recorder.awaitChanges("-d@6 unknown", "+b@10", "-c@5 unknown", "-e@7 unknown");
		awaitStored(1, "[a@3, b@10]");
		await().until(() -> second.informer.durability().contentUnknown() == 0);
	}

	@Test
	void theNextOwnerTellsNoDeletionsHoweverManyObjectsItCannotRead() throws Exception {
		List<Thing> things = IntStream.range(0, 10_050).mapToObj((number) -> in(1, "o" + number, "3")).toList();
		InformerFixture first = replica("a", 1);
		start(first, "9", things.toArray(Thing[]::new));
		own(first, "a", 1);
		await().until(() -> stored(1).stored().endsWith(" {=9}"));
		List<ResourceKey> keys = things.stream()
			.map((thing) -> ResourceKey.of(thing.metadata().namespace(), thing.name()))
			.toList();
		// every other one is stored in a form that can be read
		IntStream.range(0, keys.size()).filter((i) -> i % 2 == 0).forEach((i) -> stored(1).damage(keys.get(i)));
		InformerFixture second = replica("b", 1);
		List<SkippedObject> skipped = keys.stream().map((key) -> new SkippedObject(key, "3", "unreadable")).toList();
		second.source.answerWith((options) -> Mono.just(new ListPage<>(List.of(), "20", "", skipped)))
			.answerWith((options) -> Mono.just(new ListPage<>(List.of(), "20", "", skipped)));
		second.informer.start();
		second.source.nextWatch();
		release(first, 1);
		own(second, "b", 1);
		// not all of them are remembered, so a list decides
		second.source.nextWatch().added(in(1, "new", "21"));
		second.recorder.awaitChanges("+new@21");
		assertThat(second.informer.status().skipped()).isEqualTo(SkippedVersions.MOST);
	}

	/** An addition is stored at once, even while another slot is read from the store. */
	@Test
	void additionsAreStoredBeforeTheyAreDeliveredWhileAnotherSlotIsRead() throws Exception {
		// longer than a machine under load may pause
		this.announceTimeout = Duration.ofMinutes(1);
		InformerFixture first = replica("a", 1);
		start(first, "5", in(1, "b", "4"));
		own(first, "a", 1);
		awaitStored(1, "[b@4] {=5}");
		release(first, 1);
		InformerFixture second = replica("b", 0, 1);
		ScriptedSource.Stream watch = start(second, "5", in(0, "a", "3"), in(1, "b", "4"));
		own(second, "b", 0);
		awaitStored(0, "[a@3] {=5}");
		CountDownLatch reading = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		stored(1).beforeObject = () -> {
			reading.countDown();
			awaitQuietly(goOn);
		};
		own(second, "b", 1);
		assertThat(reading.await(30, TimeUnit.SECONDS)).isTrue();
		List<String> storedBefore = new CopyOnWriteArrayList<>();
		second.recorder.hook = (change) -> storedBefore.add(stored(0).stored());
		watch.added(in(0, "d", "6"));
		second.recorder.awaitChanges("+a@3 initial", "+d@6");
		assertThat(storedBefore).singleElement().asString().startsWith("[a@3, d@6");
		assertThat(second.failedCommits.get()).isZero();
		goOn.countDown();
		watch.added(in(1, "c", "7"));
		second.recorder.awaitChanges("+a@3 initial", "+d@6", "+c@7");
	}

}
