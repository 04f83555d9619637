package dev.reflector.cache.informer;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.fixture.InformerFixture;
import dev.reflector.cache.fixture.Recorder;
import dev.reflector.cache.fixture.ScriptedSource;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.internal.queue.QueueFixture;
import dev.reflector.cache.source.SkippedObject;
import dev.reflector.cache.source.WatchEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests client-go's test cases for its queue without atomic replace, by the changes that
 * handlers receive. Here the queue delivers a complete state as one step. The differences
 * are computed after the queue, against the objects of the mirror.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
public class ReplaceConformanceTests {

	private final InformerFixture fixture = new InformerFixture();

	private final ScriptedSource source = this.fixture.source;

	@AfterEach
	void close() throws Exception {
		this.fixture.close();
	}

	private static Thing[] things(String... things) {
		return Stream.of(things).map(QueueFixture::thing).toArray(Thing[]::new);
	}

	private static String[] list(String... things) {
		return things;
	}

	private void startKnowing(String... things) throws Exception {
		this.source.answer("1000", things(things));
		this.fixture.start(InformerFixture.listing());
		await().until(() -> this.fixture.recorder.changes.size() == things.length);
	}

	/**
	 * The changes that a handler gets from the events of a watch and from the lists that
	 * follow.
	 */
	private List<String> heard(List<String> known, Consumer<ScriptedSource.Stream> events, String[]... lists)
			throws Exception {
		startKnowing(known.toArray(String[]::new));
		ScriptedSource.Stream watch = this.source.nextWatch();
		events.accept(watch);
		for (int i = 0; i < lists.length; i++) {
			this.source.answer("" + (1001 + i), things(lists[i]));
			watch.error(410, "Expired");
			this.fixture.passDelay(i + 1);
			watch = this.source.nextWatch();
		}
		// the last change
		watch.added(Thing.of("end", "2000"));
		List<String> changes = this.fixture.recorder.changes;
		await().until(() -> changes.contains("+end@2000"));
		return changes.subList(known.size(), changes.size() - 1);
	}

	private static void nothing(ScriptedSource.Stream watch) {
	}

	@Test
	void c129_aDeletedObjectThatIsListedAgainIsAdded() throws Exception {
		assertThat(heard(List.of("foo@1"), (watch) -> watch.deleted(Thing.of("foo", "1")), list("foo@2")))
			.containsExactly("-foo@1", "+foo@2");
	}

	@Test
	void c130_c133_anAddedObjectMissingInListsIsDeletedOnce() throws Exception {
		assertThat(heard(List.of(), (watch) -> watch.added(Thing.of("foo", "1")), list(), list()))
			.containsExactly("+foo@1", "-foo@1 unseen");
	}

	@Test
	void c131_anObjectThatTheWatchDeletedIsNotDeletedAgainByAList() throws Exception {
		assertThat(heard(List.of(), (watch) -> watch.added(Thing.of("foo", "1")).deleted(Thing.of("foo", "2")), list()))
			.containsExactly("+foo@1", "-foo@2");
	}

	@Test
	void c132_anObjectMissingInTheThirdListIsDeletedOnce() throws Exception {
		assertThat(heard(List.of(), (watch) -> watch.added(Thing.of("foo", "1")), list("foo@1"), list("foo@1"), list()))
			.containsExactly("+foo@1", "-foo@1 unseen");
	}

	@Test
	void c134_theDeletionOfAMissingObjectHoldsItsNewestState() throws Exception {
		assertThat(heard(List.of(),
				(watch) -> watch.added(Thing.of("foo", "2")).deleted(Thing.of("foo", "2")).added(Thing.of("foo", "3")),
				list()))
			.containsExactly("+foo@2", "-foo@2", "+foo@3", "-foo@3 unseen");
	}

	@Test
	void c135_bookmarksAndEmptyListsDeliverNoChanges() throws Exception {
		assertThat(heard(List.of(), (watch) -> watch.bookmark("1000"), list(), list())).isEmpty();
	}

	@Test
	void c144_anObjectMissingInAListIsDeleted() throws Exception {
		assertThat(heard(List.of("foo@5", "bar@6", "baz@7"), (watch) -> watch.deleted(Thing.of("baz", "10")),
				list("foo@5")))
			.containsExactly("-baz@10", "-bar@6 unseen");
	}

	@Test
	void c145_anObjectMissingInAListIsDeletedAlsoWhenItHasJustChanged() throws Exception {
		List<String> heard = heard(List.of("foo@5", "bar@6", "baz@7"), (watch) -> watch.added(Thing.of("baz", "10")),
				list("foo@5"));
		assertThat(heard).startsWith("~baz@7>baz@10")
			.containsExactlyInAnyOrder("~baz@7>baz@10", "-baz@10 unseen", "-bar@6 unseen");
	}

	@Test
	void c146_anObjectMissingInAListIsDeletedAlsoWhenItWasJustRecreated() throws Exception {
		List<String> heard = heard(List.of("foo@5", "bar@6", "baz@7"),
				(watch) -> watch.deleted(Thing.of("bar", "6")).added(Thing.of("bar", "100")), list("foo@5"));
		assertThat(heard).startsWith("-bar@6", "+bar@100")
			.containsExactlyInAnyOrder("-bar@6", "+bar@100", "-bar@100 unseen", "-baz@7 unseen");
	}

	@Test
	void c147_eachOfSeveralListsIsComparedWithTheOneBefore() throws Exception {
		assertThat(heard(List.of("foo@5", "bar@6", "baz@7"), ReplaceConformanceTests::nothing, list("bar@100", "foo@5"),
				list("foo@5")))
			.containsExactly("-baz@7 unseen", "~bar@6>bar@100", "-bar@100 unseen");
	}

	@Test
	void c148_deletionsOfAListAreDeliveredFirst() throws Exception {
		assertThat(heard(List.of(), (watch) -> watch.added(Thing.of("baz", "10")), list("foo@5")))
			.containsExactly("+baz@10", "-baz@10 unseen", "+foo@5");
	}

	@Test
	void c149_updatesOfAListAreDeliveredAfterDeletions() throws Exception {
		assertThat(heard(List.of("foo@5", "bar@6", "baz@7"), (watch) -> watch.deleted(Thing.of("baz", "10")),
				list("foo@6")))
			.containsExactly("-baz@10", "-bar@6 unseen", "~foo@5>foo@6");
	}

	@Test
	void c141_aDeletedObjectIsNotResynced() throws Exception {
		startKnowing("foo@5");
		ScriptedSource.Stream watch = this.source.nextWatch().deleted(Thing.of("foo", "1001"));
		this.fixture.awaitVersion("1001");
		this.fixture.informer.resync();
		watch.added(Thing.of("end", "2000"));
		this.fixture.recorder.awaitChanges("+foo@5 initial", "-foo@1001", "+end@2000");
	}

	@Test
	void c142_c150_anObjectIsResyncedOnceAndAfterItsChange() throws Exception {
		startKnowing("foo@5");
		ScriptedSource.Stream watch = this.source.nextWatch().modified(Thing.of("foo", "1001"));
		this.fixture.awaitVersion("1001");
		this.fixture.informer.resync();
		this.fixture.recorder.awaitChanges("+foo@5 initial", "~foo@5>foo@1001", "~foo@1001>foo@1001 resync");
		watch.added(Thing.of("end", "2000"));
		this.fixture.recorder.awaitChanges("+foo@5 initial", "~foo@5>foo@1001", "~foo@1001>foo@1001 resync",
				"+end@2000");
	}

	@ParameterizedTest
	@EnumSource
	void x18_onlyTheObjectsWithoutAKeyAreMissingFromAList(Compatibility compatibility) throws Exception {
		this.source.answer("9", Thing.of("a", "1"), Thing.of("", "2"), new Thing(null, ""), Thing.of("b", "3"));
		this.fixture.start(InformerFixture.listing().compatibility(compatibility));
		this.fixture.awaitMirror("a@1", "b@3");
		await().until(this.fixture.informer::hasSynced);
		assertThat(this.fixture.informer.status().counts().errors()).isEqualTo(2);
		this.fixture.awaitVersion("9");
	}

	@ParameterizedTest
	@EnumSource
	void aListWithAnObjectWithoutAReadableKeyDeletesNothing(Ordering ordering) throws Exception {
		this.source.answer("9", things("a@1", "b@2"));
		this.fixture.start(InformerFixture.listing().ordering(ordering));
		ScriptedSource.Stream watch = this.source.nextWatch();
		List<String> changes = this.fixture.recorder.changes;
		await().until(() -> changes.size() == 2);
		// an object without a readable key may be b
		this.source.answer("11", Thing.of("a", "10"), new Thing(null, ""));
		watch.error(410, "Expired");
		this.fixture.passDelay(1);
		watch = this.source.nextWatch().added(Thing.of("c", "12"));
		await().until(() -> changes.contains("+c@12"));
		assertThat(changes).containsExactly("+a@1 initial", "+b@2 initial", "~a@1>a@10", "+c@12");
		assertThat(this.fixture.mirror()).containsExactly("a@10", "b@2", "c@12");
		assertThat(this.fixture.informer.status().skipped()).isEqualTo(1);
		this.source.answer("20", things("a@10", "c@12"));
		watch.error(410, "Expired");
		this.fixture.passDelay(2);
		this.source.nextWatch();
		await().until(() -> changes.contains("-b@2 unseen"));
		this.fixture.awaitMirror("a@10", "c@12");
		assertThat(this.fixture.informer.status().skipped()).isZero();
	}

	@Test
	void aStreamedListWithAnObjectWithoutAReadableKeyDeletesNothing(CapturedOutput output) throws Exception {
		SkippedObject skipped = new SkippedObject(null, "", "scripted");
		this.fixture.start(InformerFixture.streaming());
		ScriptedSource.Stream stream = this.source.nextWatch().added(Thing.of("a", "1")).added(Thing.of("b", "2"));
		stream.send(new WatchEvent.Skipped<>("BOOKMARK", skipped)).endMarker("9");
		this.fixture.awaitMirror("a@1", "b@2");
		this.fixture.awaitVersion("9");
		assertThat(output).as("the key of a bookmark does not matter").doesNotContain("no readable key");
		this.fixture.informer.relist();
		stream = this.source.nextWatch().added(Thing.of("a", "10"));
		stream.send(new WatchEvent.Skipped<>("ADDED", skipped)).endMarker("11");
		this.fixture.awaitMirror("a@10", "b@2");
		await().untilAsserted(() -> assertThat(output.getOut().lines()).anyMatch((line) -> line.contains("WARN")
				&& line.contains("1 objects of the list have no readable key. Deletions that only a list can show")));
	}

	@Test
	void x21_inArrivalOrderTheMirrorIsAtTheVersionOfItsListOrBookmark() throws Exception {
		this.source.answer("20", things("a@5", "b@2"));
		this.fixture.start(InformerFixture.listing());
		ScriptedSource.Stream watch = this.source.nextWatch();
		this.source.answer("40", things("a@35"));
		watch.modified(Thing.of("a", "30")).error(410, "Expired");
		this.fixture.passDelay(1);
		watch = this.source.nextWatch();
		this.fixture.awaitMirror("a@35");
		await().until(() -> mirrorVersion().equals("40"));
		watch.bookmark("50").added(Thing.of("c", "51")).bookmark("60");
		await().until(() -> mirrorVersion().equals("60"));
		this.source.answer("70");
		watch.error(410, "Expired");
		this.fixture.passDelay(2);
		this.fixture.awaitMirror();
		await().until(() -> mirrorVersion().equals("70"));
	}

	@Test
	void x21_byKeyATombstoneDoesNotMoveTheVersionOfTheMirrorBack() throws Exception {
		this.source.answer("20", things("a@5", "b@2"));
		this.fixture.start(InformerFixture.listing().ordering(Ordering.PER_KEY));
		ScriptedSource.Stream watch = this.source.nextWatch();
		this.fixture.awaitMirror("a@5", "b@2");
		this.source.answer("40", things("a@35"));
		watch.modified(Thing.of("a", "30")).error(410, "Expired");
		this.fixture.passDelay(1);
		this.source.nextWatch().bookmark("50");
		this.fixture.awaitVersion("50");
		this.fixture.awaitMirror("a@35");
		await().untilAsserted(() -> assertThat(this.fixture.recorder.changes).endsWith("-b@2 unseen"));
		// D-30: this ordering has only the versions of objects
		assertThat(mirrorVersion()).isEqualTo("35");
	}

	/** The version of the mirror that a new handler gets. */
	private String mirrorVersion() {
		Recorder late = new Recorder();
		HandlerRegistration registration = this.fixture.informer.addEventHandler(late);
		await().until(() -> !late.synced.isEmpty());
		registration.remove();
		return late.synced.get(0);
	}

}
