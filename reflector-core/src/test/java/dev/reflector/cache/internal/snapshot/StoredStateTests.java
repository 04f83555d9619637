package dev.reflector.cache.internal.snapshot;

import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.reflector.ResourceKey;
import dev.reflector.cache.fixture.Thing;
import dev.reflector.cache.internal.store.PersistentMap;
import dev.reflector.cache.internal.store.PersistentMapBuilder;
import dev.reflector.cache.source.MetadataAccessor;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what is written to get from what is stored to a completed state.
 */
class StoredStateTests {

	private static final ResourceKey KEY = ResourceKey.of("default", "a");

	private final StoredState<Thing> stored = new StoredState<>(List.of(), MetadataAccessor.forType(Thing.class),
			new UnknownContents());

	StoredStateTests() {
		this.stored.restored(PersistentMap.empty(), Map.of());
	}

	private long announce(Thing thing) {
		long number = this.stored.pendingAdditions().begin();
		this.stored.pendingAdditions().add(KEY, thing, number, !this.stored.contains(KEY));
		return number;
	}

	private StoredState.Difference<Thing> commit(PersistentMap<ResourceKey, Thing> target, long mark) {
		CompletedState<Thing> state = new CompletedState<>("9", target, mark, Set.of());
		StoredState.Difference<Thing> difference = this.stored.difference(0, state);
		this.stored.written(0, state, difference);
		return difference;
	}

	/** A store that keeps objects in this order changes few pages for each part. */
	@Test
	void whatIsWrittenIsInTheOrderOfItsKeys() {
		PersistentMapBuilder<ResourceKey, Thing> things = new PersistentMapBuilder<>();
		for (int i = 0; i < 100; i++) {
			Thing thing = Thing.of("t" + i, "3");
			things.add(ResourceKey.of("default", "t" + i), thing);
		}
		PersistentMap<ResourceKey, Thing> target = things.build();
		assertThat(commit(target, 0).set()).extracting(Map.Entry::getKey).hasSize(100).isSorted();
		assertThat(commit(PersistentMap.empty(), 0).removed()).hasSize(100).isSorted();
	}

	@Test
	void anAnnouncedObjectThatIsGoneIsRemoved() {
		long mark = announce(Thing.of("a", "3"));
		StoredState.Difference<Thing> difference = commit(PersistentMap.empty(), mark);
		assertThat(difference.removed()).containsExactly(KEY);
		assertThat(difference.again()).isEmpty();
		assertThat(this.stored.contains(KEY)).isFalse();
	}

	/**
	 * Otherwise the completed deletion of the earlier object would be delivered again
	 * after a crash.
	 */
	@Test
	void anObjectThatWasAnnouncedAgainAfterTheMarkReplacesTheEarlierOneOfItsName() {
		long mark = announce(Thing.of("a", "3"));
		Thing again = Thing.of("a", "7");
		announce(again);
		StoredState.Difference<Thing> difference = commit(PersistentMap.empty(), mark);
		assertThat(difference.removed()).isEmpty();
		assertThat(difference.again()).containsExactly(Map.entry(KEY, again));
		assertThat(this.stored.contains(KEY)).isTrue();
		assertThat(commit(PersistentMap.empty(), mark).again()).isEmpty();
	}

	@Test
	void anObjectThatWasAnnouncedOnceAfterTheMarkIsStoredAlready() {
		announce(Thing.of("a", "3"));
		StoredState.Difference<Thing> difference = commit(PersistentMap.empty(), 0);
		assertThat(difference.removed()).isEmpty();
		assertThat(difference.again()).isEmpty();
	}

}
