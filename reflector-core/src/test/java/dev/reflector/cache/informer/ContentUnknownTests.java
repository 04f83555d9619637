package dev.reflector.cache.informer;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.fixture.ThingCodec;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ContentUnknownException;
import dev.reflector.cache.handler.DeliveryStoppedException;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotOptions.OnMismatch;
import dev.reflector.cache.snapshot.StoredObject;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests what becomes of objects that are stored and cannot be read, or that cannot be
 * written.
 */
class ContentUnknownTests extends DurableProcesses {

	/** The names of things that cannot be written. */
	private final Set<String> unwritable = ConcurrentHashMap.newKeySet();

	private InformerFixture processOfUnwritable() {
		SnapshotCodec<Thing> codec = ThingCodec.of("shape");
		return patientProcess(new SnapshotCodec<>() {

			@Override
			public String shape() {
				return codec.shape();
			}

			@Override
			public byte[] write(Thing thing) {
				if (ContentUnknownTests.this.unwritable.contains(thing.name())) {
					throw new SnapshotException("it has no form", null);
				}
				return codec.write(thing);
			}

			@Override
			public Thing read(byte[] content) {
				return codec.read(content);
			}

		});
	}

	private void storedAndUnreadable(String name, Thing... things) throws Exception {
		givenSnapshot("9", things);
		this.store.damage(ResourceKey.of("default", name));
	}

	private static SkippedObject skipped(String name, String version) {
		return new SkippedObject(ResourceKey.of("default", name), version, "unreadable");
	}

	private static void answerSkipping(InformerFixture fixture, List<SkippedObject> skipped, Thing... things) {
		fixture.source.answerWith((options) -> Mono.just(new ListPage<>(List.of(things), "20", "", skipped)));
	}

	private static ReflectorOptions.Builder options(QueueSettings.Ordering ordering) {
		return InformerFixture.listing().ordering(ordering);
	}

	@ParameterizedTest
	@CsvSource({ "5,ARRIVAL,RELIST", "5,PER_KEY,FAIL", "6000,ARRIVAL,FAIL" })
	void anUnreadableObjectThatIsThereCausesOneListAndOnlyDifferencesAreDelivered(int count,
			QueueSettings.Ordering ordering, OnMismatch onMismatch) throws Exception {
		Thing[] things = InformerFixture.things(count, "5");
		InformerFixture first = process();
		first.source.answer("9", things);
		first.start(InformerFixture.listing());
		await().until(() -> this.store.stored().endsWith(" {=9}"));
		first.stop();
		this.store.release();
		this.store.damage(ResourceKey.of("default", "t1"));
		InformerFixture second = process("shape", true, onMismatch);
		List<Change<Thing>> changes = new CopyOnWriteArrayList<>();
		second.recorder.hook = changes::add;
		second.source.answer("20", IntStream.range(1, count).mapToObj((i) -> things[i]).toArray(Thing[]::new));
		second.start(options(ordering));
		second.source.nextWatch();
		second.recorder.awaitChanges("-t0@5 unseen");
		assertThat(changes).singleElement().extracting(Change::cause).isEqualTo(Change.Cause.RECOVERED);
		assertThat(second.source.lists).hasSize(1);
		assertThat(second.mirror()).hasSize(count - 1).contains("t1@5");
		assertThat(this.store.setAside).isEmpty();
		// it can be read from now on
		await().until(() -> this.store.stored().endsWith(" {=20}"));
		await().until(() -> second.informer.durability().contentUnknown() == 0);
		assertThat(second.informer.durability().size()).isEqualTo(count - 1);
		second.stop();
		this.store.release();
		InformerFixture third = process();
		third.start(InformerFixture.listing());
		third.source.nextWatch();
		assertThat(third.source.lists).isEmpty();
		assertThat(third.mirror()).hasSize(count - 1);
	}

	@ParameterizedTest
	@EnumSource(QueueSettings.Ordering.class)
	void theDeletionOfAnUnreadableObjectIsDeliveredWithoutContent(QueueSettings.Ordering ordering) throws Exception {
		storedAndUnreadable("a", Thing.of("a", "3").withUid("u1"), Thing.of("b", "5"));
		InformerFixture second = process();
		List<Change<Thing>> changes = new CopyOnWriteArrayList<>();
		second.recorder.hook = changes::add;
		second.source.answer("20", Thing.of("b", "5"));
		second.start(options(ordering));
		second.recorder.awaitChanges("-a@3 unknown");
		Change<Thing> change = changes.get(0);
		assertThat(change.cause()).isEqualTo(Change.Cause.RECOVERED);
		assertThat(change.finalStateUnknown()).isTrue();
		assertThat(change.storedUid()).isEqualTo("u1");
		assertThatExceptionOfType(ContentUnknownException.class).isThrownBy(change::object)
			.withMessageContaining("contentUnknown()")
			.withMessageContaining("default/a");
		awaitStored("[b@5] {=20}");
		assertThat(second.informer.status().counts().deleted()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource(QueueSettings.Ordering.class)
	void anUnreadableObjectThatHasChangedIsDeliveredAsAdded(QueueSettings.Ordering ordering) throws Exception {
		storedAndUnreadable("a", Thing.of("a", "3"), Thing.of("b", "5"));
		InformerFixture second = process();
		List<Change<Thing>> changes = new CopyOnWriteArrayList<>();
		second.recorder.hook = changes::add;
		second.source.answer("20", Thing.of("a", "12"), Thing.of("b", "5"));
		second.start(options(ordering));
		second.recorder.awaitChanges("+a@12");
		assertThat(changes.get(0).cause()).isEqualTo(Change.Cause.RECOVERED);
		awaitStored("[a@12, b@5] {=20}");
	}

	@ParameterizedTest
	@EnumSource(QueueSettings.Ordering.class)
	void anUnreadableObjectThatWasRecreatedIsADeletionAndAnAddition(QueueSettings.Ordering ordering) throws Exception {
		storedAndUnreadable("a", Thing.of("a", "3").withUid("u1"));
		InformerFixture second = process();
		second.source.answer("20", Thing.of("a", "12").withUid("u2"));
		second.start(options(ordering));
		second.recorder.awaitChanges("-a@3 unknown", "+a@12");
		awaitStored("[a@12] {=20}");
	}

	@ParameterizedTest
	@EnumSource(QueueSettings.Ordering.class)
	void whatTheServerHasInAnUnreadableFormTooStaysUntilItIsGone(QueueSettings.Ordering ordering) throws Exception {
		storedAndUnreadable("a", Thing.of("a", "3"), Thing.of("b", "5"), Thing.of("c", "6"));
		this.store.damage(ResourceKey.of("default", "b"));
		InformerFixture second = process();
		answerSkipping(second, List.of(skipped("a", "3"), skipped("b", "5")), Thing.of("c", "6"));
		second.start(options(ordering));
		ScriptedSource.Stream watch = second.source.nextWatch();
		awaitStored("[a@3, b@5, c@6] {=20}");
		assertThat(second.recorder.changes).isEmpty();
		assertThat(second.informer.status().skipped()).isEqualTo(2);
		assertThat(second.informer.durability().contentUnknown()).isEqualTo(2);
		assertThat(second.informer.durability().size()).isEqualTo(3);
		watch.send(new WatchEvent.Skipped<>("DELETED", skipped("a", "21"))).modified(Thing.of("b", "22"));
		second.recorder.awaitChanges("-a@3 unknown", "+b@22");
		awaitStored("[b@22, c@6] {=22}");
		await().until(() -> second.informer.durability().contentUnknown() == 0);
	}

	@Test
	void theServerMayHaveTheLastStateOfAnUnreadableObject() throws Exception {
		storedAndUnreadable("a", Thing.of("a", "3"), Thing.of("b", "5"));
		InformerFixture second = process();
		answerSkipping(second, List.of(skipped("a", "3")), Thing.of("b", "5"));
		second.start(InformerFixture.listing());
		second.source.nextWatch().deleted(Thing.of("a", "21"));
		second.recorder.awaitChanges("-a@21");
		awaitStored("[b@5] {=21}");
	}

	@Test
	void anUnreadableObjectOfANamespaceThatIsNoLongerMirroredIsDeliveredAsDeleted() throws Exception {
		givenSnapshot("9", Thing.of("default", "a", "3", ""), Thing.of("red", "b", "5", ""));
		this.store.damage(ResourceKey.of("red", "b"));
		InformerFixture second = process();
		second.source.answer("20", Thing.of("default", "a", "3", ""));
		second.start(InformerFixture.listing().build(), "default");
		second.recorder.awaitChanges("-b@5 unknown");
		awaitStored("[a@3] {default=20}");
	}

	@Test
	void aListenerThatWasStoppedIsToldOfTheDeletionWhenItIsResumed() throws Exception {
		storedAndUnreadable("a", Thing.of("a", "3"), Thing.of("b", "5"));
		InformerFixture second = process();
		second.recorder.hook = (change) -> {
			throw new DeliveryStoppedException("stopped", new IllegalStateException());
		};
		second.source.answer("20", Thing.of("b", "5"));
		second.start(InformerFixture.listing());
		await().until(() -> second.informer.status().deliveryStopped() != null);
		assertThat(this.store.stored()).isEqualTo("[a@3, b@5] {=9}");
		second.recorder.hook = (change) -> {
		};
		second.recorder.changes.clear();
		second.informer.resume();
		second.recorder.awaitChanges("-a@3 unknown");
		awaitStored("[b@5] {=20}");
	}

	@Test
	void aCrashBeforeTheDeletionIsCompletedRepeatsIt() throws Exception {
		storedAndUnreadable("a", Thing.of("a", "3"), Thing.of("b", "5"));
		InformerFixture second = process();
		second.recorder.hook = (change) -> this.store.failure = new SnapshotException("killed", null);
		second.source.answer("20", Thing.of("b", "5"));
		second.start(InformerFixture.listing());
		second.recorder.awaitChanges("-a@3 unknown");
		kill(second);
		InformerFixture third = process();
		third.source.answer("21", Thing.of("b", "5"));
		third.start(InformerFixture.listing());
		third.recorder.awaitChanges("-a@3 unknown");
		awaitStored("[b@5] {=21}");
	}

	@Test
	void anObjectThatCannotBeWrittenHoldsUpNoOtherAndIsKnownAfterARestart() throws Exception {
		this.unwritable.add("a");
		this.unwritable.add("c");
		InformerFixture first = processOfUnwritable();
		first.source.answer("9", Thing.of("a", "3"), Thing.of("b", "5"));
		first.start(InformerFixture.listing());
		awaitStored("[a@3, b@5] {=9}");
		// announced, and committed after that
		first.source.nextWatch().added(Thing.of("c", "10")).added(Thing.of("d", "11"));
		awaitStored("[a@3, b@5, c@10, d@11] {=11}");
		assertThat(this.store.commits).flatExtracting((commit) -> commit.upserts())
			.filteredOn((object) -> object.key().name().matches("[ac]"))
			.isNotEmpty()
			.allMatch(StoredObject::contentUnknown);
		await().until(() -> first.informer.durability().contentUnknown() == 2);
		assertThat(first.failedCommits.get()).isZero();
		assertThat(first.informer.durability().lastError()).isNull();
		first.stop();
		this.store.release();
		InformerFixture second = processOfUnwritable();
		second.source.answer("20", Thing.of("a", "3"));
		second.start(InformerFixture.listing());
		await().until(() -> second.recorder.changes.size() == 3);
		assertThat(second.recorder.changes).containsExactlyInAnyOrder("-b@5 unseen", "-d@11 unseen", "-c@10 unknown");
		awaitStored("[a@3] {=20}");
		await().until(() -> second.informer.durability().contentUnknown() == 1);
		this.unwritable.clear();
		second.source.nextWatch().modified(Thing.of("a", "21"));
		awaitStored("[a@21] {=21}");
		await().until(() -> second.informer.durability().contentUnknown() == 0);
	}

	@Test
	void anAnnouncedObjectThatCannotBeWrittenIsDeliveredAgainOrAsDeleted() throws Exception {
		this.unwritable.add("a");
		this.unwritable.add("b");
		InformerFixture first = processOfUnwritable();
		first.source.answer("9");
		first.start(InformerFixture.listing());
		awaitStored("[] {=9}");
		first.recorder.hook = (change) -> this.store.failure = new SnapshotException("killed", null);
		first.source.nextWatch().added(Thing.of("a", "10")).added(Thing.of("b", "11"));
		first.recorder.awaitChanges("+a@10", "+b@11");
		kill(first);
		assertThat(this.store.stored()).startsWith("[a@10?");
		InformerFixture second = processOfUnwritable();
		second.source.answer("20", Thing.of("b", "11"));
		second.start(InformerFixture.listing());
		second.recorder.awaitChanges("-a@10 unknown", "+b@11");
		awaitStored("[b@11] {=20}");
	}

	@Test
	void whatIsUnreadableStaysStoredWhenTheStoreHasFailed() throws Exception {
		storedAndUnreadable("a", Thing.of("a", "3"), Thing.of("b", "5"));
		InformerFixture second = process();
		answerSkipping(second, List.of(skipped("a", "3")), Thing.of("b", "5"));
		second.start(InformerFixture.listing());
		ScriptedSource.Stream watch = second.source.nextWatch();
		awaitStored("[a@3, b@5] {=20}");
		this.store.failure = new SnapshotException("the disk is full", null);
		watch.modified(Thing.of("b", "21"));
		await().until(() -> second.failedCommits.get() > 0);
		this.store.failure = null;
		awaitStored("[a@3, b@21] {=21}");
		watch.modified(Thing.of("a", "22"));
		second.recorder.awaitChanges("~b@5>b@21", "+a@22");
		awaitStored("[a@22, b@21] {=22}");
	}

	/** A list or a watch may be of a moment before the announcement. */
	@Test
	void anAnnouncedObjectThatCannotBeReadIsNotDeletedByAnEarlierOneOfItsName() throws Exception {
		this.unwritable.add("a");
		InformerFixture first = processOfUnwritable();
		first.source.answer("9");
		first.start(InformerFixture.listing());
		awaitStored("[] {=9}");
		first.recorder.hook = (change) -> this.store.failure = new SnapshotException("killed", null);
		first.source.nextWatch().added(Thing.of("a", "12").withUid("u2"));
		first.recorder.awaitChanges("+a@12");
		kill(first);
		assertThat(this.store.stored()).isEqualTo("[a@12?] {=9}");
		this.unwritable.clear();
		InformerFixture second = process();
		second.source.answer("10", Thing.of("a", "10").withUid("u1"));
		second.start(InformerFixture.listing());
		second.source.nextWatch().deleted(Thing.of("a", "11").withUid("u1")).added(Thing.of("a", "12").withUid("u2"));
		second.recorder.awaitChanges("+a@10", "-a@11", "+a@12");
		awaitStored("[a@12] {=12}");
	}

	@Test
	void whatIsUnreadableIsStoredAgainWhenTheStoreHasLostIt() throws Exception {
		Runnable restore = this.store.dump();
		storedAndUnreadable("a", Thing.of("a", "3").withUid("u1"), Thing.of("b", "5"));
		InformerFixture second = process();
		answerSkipping(second, List.of(skipped("a", "3")), Thing.of("b", "5"));
		second.start(InformerFixture.listing());
		ScriptedSource.Stream watch = second.source.nextWatch();
		awaitStored("[a@3, b@5] {=20}");
		restore.run();
		watch.modified(Thing.of("b", "21"));
		awaitStored("[a@3, b@21] {=21}");
		assertThat(second.informer.durability().contentUnknown()).isEqualTo(1);
		assertThat(second.informer.durability().size()).isEqualTo(2);
		kill(second);
		InformerFixture third = process();
		List<Change<Thing>> changes = new CopyOnWriteArrayList<>();
		third.recorder.hook = changes::add;
		third.source.answer("22", Thing.of("b", "21"));
		third.start(InformerFixture.listing());
		third.recorder.awaitChanges("-a@3 unknown");
		assertThat(changes.get(0).storedUid()).isEqualTo("u1");
		awaitStored("[b@21] {=22}");
	}

}
