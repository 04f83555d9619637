package dev.reflector.cache.internal.delivery;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.internal.store.InitialObjects;
import dev.reflector.cache.source.MetadataAccessor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChangeQueue}.
 */
class ChangeQueueTests {

	private final ChangeQueue<Thing> queue = new ChangeQueue<>(MetadataAccessor.forType(Thing.class), 2);

	private static Change<Thing> added(String name, String version, boolean initial) {
		return change(Change.Type.ADDED, Thing.of(name, version), null, initial, Change.Cause.LIST);
	}

	private static Change<Thing> updated(String name, String before, String after) {
		return change(Change.Type.UPDATED, Thing.of(name, after), Thing.of(name, before), false, Change.Cause.WATCH);
	}

	private static Change<Thing> deleted(String name, String version) {
		return change(Change.Type.DELETED, Thing.of(name, version), null, false, Change.Cause.WATCH);
	}

	private static Change<Thing> resync(String name, String version) {
		Thing thing = Thing.of(name, version);
		return change(Change.Type.UPDATED, thing, thing, false, Change.Cause.RESYNC);
	}

	private static Change<Thing> change(Change.Type type, Thing thing, Thing previous, boolean initial,
			Change.Cause cause) {
		return new Change<>(type, ResourceKey.of("default", thing.name()), thing, previous, thing.version(), initial,
				false, cause);
	}

	private void add(Change<Thing> change) {
		this.queue.add(change);
	}

	private List<String> drained() {
		List<String> notes = new ArrayList<>();
		while (!this.queue.isEmpty()) {
			Notification<Thing> next = this.queue.remove();
			if (next instanceof Notification.Changed<Thing> changed) {
				Change<Thing> change = changed.change();
				notes.add(change.type() + " " + change.previous() + ">" + change.object()
						+ (change.initialList() ? " initial" : ""));
			}
			else {
				notes.add((next instanceof Notification.Stored<Thing> stored) ? "STORED " + stored.object() : "note");
			}
		}
		return notes;
	}

	@Test
	void e09_mergedUpdatesLeadFromTheFirstStateToTheLast() {
		add(updated("a", "1", "2"));
		add(updated("b", "1", "5"));
		assertThat(this.queue.isFull()).isTrue();
		assertThat(this.queue.merge(updated("a", "2", "6"))).isTrue();
		assertThat(this.queue.merge(updated("a", "6", "7"))).isTrue();
		assertThat(drained()).containsExactly("UPDATED a@1>a@7", "UPDATED b@1>b@5");
	}

	@Test
	void e09_anAdditionMergedWithAnUpdateStaysAnInitialAddition() {
		add(added("a", "1", true));
		assertThat(this.queue.merge(updated("a", "1", "6"))).isTrue();
		assertThat(drained()).containsExactly("ADDED null>a@6 initial");
	}

	@Test
	void e09_anUpdateAndADeletionAreADeletion() {
		add(updated("a", "1", "2"));
		assertThat(this.queue.merge(deleted("a", "3"))).isTrue();
		assertThat(drained()).as("with the previous object of the update").containsExactly("DELETED a@1>a@3");
	}

	@Test
	void e09_anAdditionAndItsDeletionCancelEachOther() {
		add(updated("b", "1", "2"));
		for (int i = 0; i < 1000; i++) {
			add(added("a", "" + i, false));
			assertThat(this.queue.merge(deleted("a", "" + i))).isTrue();
		}
		assertThat(this.queue.changes()).isOne();
		assertThat(drained()).containsExactly("UPDATED b@1>b@2");
	}

	@Test
	void e09_nothingIsMergedAcrossADeletion() {
		add(deleted("a", "1"));
		assertThat(this.queue.merge(added("a", "2", false))).isFalse();
		add(added("a", "2", false));
		assertThat(this.queue.merge(updated("a", "2", "3"))).isTrue();
		assertThat(this.queue.merge(deleted("a", "4"))).isTrue();
		assertThat(this.queue.merge(added("a", "5", false))).isFalse();
		add(added("a", "5", false));
		assertThat(drained()).containsExactly("DELETED null>a@1", "ADDED null>a@5");
	}

	@Test
	void e09_aResyncOfAWaitingChangeIsDropped() {
		add(updated("a", "1", "2"));
		assertThat(this.queue.merge(resync("a", "2"))).isTrue();
		assertThat(this.queue.merge(resync("b", "1"))).isFalse();
		assertThat(drained()).containsExactly("UPDATED a@1>a@2");
	}

	@Test
	void e09_anUpdateMergedIntoAResyncIsAnUpdate() {
		add(resync("a", "1"));
		assertThat(this.queue.merge(updated("a", "1", "2"))).isTrue();
		Notification.Changed<Thing> merged = (Notification.Changed<Thing>) this.queue.remove();
		assertThat(merged.change().cause()).isEqualTo(Change.Cause.WATCH);
		assertThat(merged.change().previous()).hasToString("a@1");
	}

	@Test
	void aRemovedChangeIsNotMergedWithLaterOnes() {
		add(updated("a", "1", "2"));
		add(updated("b", "1", "2"));
		assertThat(this.queue.merge(updated("b", "2", "3"))).isTrue();
		assertThat(this.queue.remove()).isNotNull();
		assertThat(this.queue.merge(updated("a", "2", "3"))).isFalse();
		assertThat(drained()).containsExactly("UPDATED b@1>b@3");
	}

	@Test
	void aStockKeepsItsPlaceAndTakesNoRoom() {
		Map<ResourceKey, Thing> stored = new LinkedHashMap<>();
		for (String name : List.of("c", "a", "b")) {
			stored.put(ResourceKey.of("default", name), Thing.of(name, "1"));
		}
		this.queue.addNote(new Notification.StateChanged<>(ReflectorState.LISTING, ReflectorState.WATCHING, ""));
		this.queue.add(new InitialObjects<>(stored.entrySet(), stored.size()));
		this.queue.add(new InitialObjects<>(List.of(), 0));
		add(updated("a", "1", "2"));
		assertThat(this.queue.isFull()).isFalse();
		assertThat(this.queue.changes()).isEqualTo(4);
		add(updated("b", "1", "2"));
		assertThat(this.queue.isFull()).isTrue();
		assertThat(this.queue.merge(updated("c", "1", "2"))).as("a stored object is not merged").isFalse();
		assertThat(drained()).containsExactly("note", "STORED c@1", "STORED a@1", "STORED b@1", "UPDATED a@1>a@2",
				"UPDATED b@1>b@2");
		assertThat(this.queue.changes()).isZero();
	}

	@Test
	void clearRemovesAStock() {
		this.queue.add(new InitialObjects<>(Map.of(ResourceKey.of("default", "a"), Thing.of("a", "1")).entrySet(), 1));
		this.queue.clear();
		assertThat(this.queue.isEmpty()).isTrue();
		assertThat(this.queue.changes()).isZero();
	}

	@Test
	void notesKeepTheirPlaceAndDoNotCount() {
		this.queue.addNote(new Notification.StateChanged<>(ReflectorState.LISTING, ReflectorState.WATCHING, ""));
		add(added("a", "1", false));
		this.queue.addNote(new Notification.Synced<>("1", 0));
		assertThat(this.queue.changes()).isOne();
		assertThat(this.queue.isFull()).isFalse();
		assertThat(this.queue.beginsWithChange()).isFalse();
		assertThat(drained()).containsExactly("note", "ADDED null>a@1", "note");
	}

}
