package dev.reflector.cache.internal.store;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Stream;

import dev.reflector.ResourceKey;
import dev.reflector.cache.fixture.CollidingNames;
import dev.reflector.fixture.LongForm;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class PersistentMapTests {

	/** A key whose hash leaves many collisions, in the upper bits too. */
	private record Key(int id, int spread) {

		@Override
		public int hashCode() {
			return (this.id % this.spread) * 0x01010101;
		}

	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 64, 100_000 })
	void behavesLikeAHashMapAlsoWithHashCollisions(int spread) {
		Random random = new Random(spread);
		Map<Key, Integer> expected = new HashMap<>();
		PersistentMap<Key, Integer> map = PersistentMap.empty();
		for (int i = 0; i < 4_000; i++) {
			Key key = new Key(random.nextInt(300), spread);
			if (random.nextInt(3) == 0) {
				expected.remove(key);
				map = map.without(key);
			}
			else {
				expected.put(key, i);
				map = map.with(key, i);
			}
			assertThat(map.size()).isEqualTo(expected.size());
			assertThat(map.get(key)).isEqualTo(expected.get(key));
		}
		Map<Key, Integer> seen = new HashMap<>();
		map.forEach(seen::put);
		assertThat(seen).isEqualTo(expected);
		assertThat(map.values()).containsExactlyInAnyOrderElementsOf(expected.values());
		for (Key key : Map.copyOf(expected).keySet()) {
			map = map.without(key);
		}
		assertThat(map.size()).isZero();
		assertThat(map.values()).isEmpty();
	}

	/** Names and index values are chosen by the users who write the objects. */
	@ParameterizedTest
	@MethodSource("colliding")
	void behavesLikeAHashMapWithChosenHashCollisions(IntFunction<Object> keys) {
		Random random = new Random(1);
		Map<Object, Integer> expected = new HashMap<>();
		PersistentMap<Object, Integer> map = PersistentMap.empty();
		for (int i = 0; i < 4_000; i++) {
			Object key = keys.apply(random.nextInt(300));
			if (random.nextInt(3) == 0) {
				expected.remove(key);
				map = map.without(key);
			}
			else {
				expected.put(key, i);
				map = map.with(key, i);
			}
			assertThat(map.size()).isEqualTo(expected.size());
			assertThat(map.get(key)).isEqualTo(expected.get(key));
		}
		Map<Object, Integer> seen = new HashMap<>();
		map.iterator().forEachRemaining((entry) -> seen.put(entry.getKey(), entry.getValue()));
		assertThat(seen).isEqualTo(expected);
		PersistentMap<Object, Integer> built = PersistentMapBuilder.of(expected);
		expected.forEach((key, value) -> assertThat(built.get(key)).isEqualTo(value));
		PersistentMap<Object, Integer> changed = built.with(keys.apply(1), -1).without(keys.apply(2));
		assertThat(differences(built, changed)).hasSizeLessThanOrEqualTo(2)
			.allMatch((key) -> key.equals(keys.apply(1)) || key.equals(keys.apply(2)));
		for (Object key : expected.keySet()) {
			map = map.without(key);
		}
		assertThat(map.size()).isZero();
		assertThat(map.iterator()).isExhausted();
	}

	private static List<Object> differences(PersistentMap<Object, Integer> before,
			PersistentMap<Object, Integer> after) {
		List<Object> differences = new ArrayList<>();
		PersistentMapDifferences.forEachSet(before, after, (key, value) -> differences.add(key));
		PersistentMapDifferences.forEachRemoved(before, after, (key, value) -> differences.add(key));
		return differences;
	}

	/**
	 * A look-up compares a key with one other key, or with the keys of the node at which
	 * it ends.
	 */
	@ParameterizedTest
	@MethodSource("colliding")
	void aLookUpAmongChosenHashCollisionsComparesFewKeys(IntFunction<Object> keys) {
		PersistentMap<Object, Integer> map = PersistentMap.empty();
		PersistentMapBuilder<Object, Integer> builder = new PersistentMapBuilder<>();
		for (int i = 0; i < 60_000; i++) {
			map = map.with(keys.apply(i), i);
			builder.add(keys.apply(i), i);
		}
		assertThat(mostCollisions(map.root())).isLessThanOrEqualTo(40);
		assertThat(mostCollisions(builder.build().root())).isLessThanOrEqualTo(40);
	}

	private static int mostCollisions(TrieNode node) {
		int most = (node instanceof TrieNode.Collision) ? node.end() / 2 : 1;
		for (int i = node.end(); i < node.slots.length; i++) {
			most = Math.max(most, mostCollisions((TrieNode) node.slots[i]));
		}
		return most;
	}

	static Stream<Arguments> colliding() {
		IntFunction<Object> names = (number) -> new ResourceKey("default", CollidingNames.of(number));
		IntFunction<Object> namespaces = (number) -> new ResourceKey(CollidingNames.of(number), "same");
		IntFunction<Object> values = CollidingNames::of;
		return Stream.of(Arguments.argumentSet("names", names), Arguments.argumentSet("namespaces", namespaces),
				Arguments.argumentSet("values of an index", values));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 64, 100_000 })
	void aMapBuiltAtOnceBehavesLikeOneBuiltStepByStep(int spread) {
		// where hashes collide, each step walks a list
		for (int size : new int[] { 0, 1, 2, 33, (spread < 64) ? LongForm.times(900, 300) : 3000 }) {
			Map<Key, Integer> expected = new HashMap<>();
			for (int i = 0; i < size; i++) {
				expected.put(new Key(i, spread), i);
			}
			PersistentMapBuilder<Key, Integer> builder = new PersistentMapBuilder<>();
			expected.forEach(builder::add);
			assertThat(builder.build().values()).isEqualTo(PersistentMapBuilder.of(expected).values());
			PersistentMap<Key, Integer> map = PersistentMapBuilder.of(expected);
			assertThat(map.size()).isEqualTo(size);
			assertThat(map.values()).containsExactlyInAnyOrderElementsOf(expected.values());
			Map<Key, Integer> walked = new HashMap<>();
			map.iterator().forEachRemaining((entry) -> walked.put(entry.getKey(), entry.getValue()));
			assertThat(walked).isEqualTo(expected);
			for (int i = 0; i < size; i++) {
				assertThat(map.get(new Key(i, spread))).isEqualTo(i);
				map = map.with(new Key(i, spread), -i).with(new Key(size + i, spread), i);
				assertThat(map.get(new Key(i, spread))).isEqualTo(-i);
			}
			assertThat(map.size()).isEqualTo(2 * size);
			for (int i = 0; i < 2 * size; i++) {
				map = map.without(new Key(i, spread));
			}
			assertThat(map.size()).isZero();
			assertThat(map.values()).isEmpty();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 100_000 })
	void doesNotChangeEarlierVersions(int spread) {
		PersistentMap<Key, Integer> before = PersistentMap.empty();
		for (int i = 0; i < 200; i++) {
			before = before.with(new Key(i, spread), i);
		}
		PersistentMap<Key, Integer> after = before;
		for (int i = 0; i < 200; i += 2) {
			after = after.without(new Key(i, spread)).with(new Key(i + 1, spread), -1);
		}
		assertThat(before.size()).isEqualTo(200);
		assertThat(after.size()).isEqualTo(100);
		for (int i = 0; i < 200; i++) {
			assertThat(before.get(new Key(i, spread))).isEqualTo(i);
		}
		assertThat(after.values()).containsOnly(-1);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 100_000 })
	void staysTheSameInstanceWhenNothingChanges(int spread) {
		Integer value = 12345;
		PersistentMap<Key, Integer> map = PersistentMap.<Key, Integer>empty()
			.with(new Key(1, spread), value)
			.with(new Key(2, spread), value);
		assertThat(map.with(new Key(1, spread), value)).isSameAs(map);
		assertThat(map.without(new Key(3, spread))).isSameAs(map);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 64, 100_000 })
	void findsTheDifferencesBetweenTwoVersions(int spread) {
		Random random = new Random(spread);
		PersistentMap<Key, Integer> before = PersistentMap.empty();
		for (int step = 0; step < 60; step++) {
			PersistentMap<Key, Integer> after = before;
			for (int i = random.nextInt(40); i >= 0; i--) {
				Key key = new Key(random.nextInt(200), spread);
				after = (random.nextInt(3) == 0) ? after.without(key) : after.with(key, 1000 + step);
			}
			Map<Key, Integer> merged = new HashMap<>();
			before.forEach(merged::put);
			PersistentMapDifferences.forEachRemoved(before, after,
					(key, value) -> assertThat(merged.remove(key)).isEqualTo(value));
			PersistentMap<Key, Integer> old = before;
			PersistentMapDifferences.forEachSet(before, after, (key, value) -> {
				assertThat(value).isNotSameAs(old.get(key));
				merged.put(key, value);
			});
			Map<Key, Integer> expected = new HashMap<>();
			after.forEach(expected::put);
			assertThat(merged).isEqualTo(expected);
			before = after;
		}
	}

}
