package dev.reflector;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.reflector.cache.fixture.CollidingNames;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests that a user who chooses the names of objects cannot choose the hash codes of
 * their keys.
 */
class ChosenHashCodeTests {

	@Test
	void keysHaveOtherHashCodesThanTheirTexts() {
		Set<Integer> texts = new HashSet<>();
		Set<Integer> keys = new HashSet<>();
		for (int i = 0; i < 10_000; i++) {
			String text = CollidingNames.of(i);
			texts.add(text.hashCode());
			keys.add(new ResourceKey("default", text).hashCode());
			keys.add(new ResourceKey(text, "same").hashCode());
		}
		assertThat(texts).hasSize(1);
		// one pair in 2^32 may share one
		assertThat(keys).hasSizeGreaterThan(19_990);
	}

	@Test
	void equalKeysHaveOneHashCode() {
		String longName = "n".repeat(3000);
		for (String name : new String[] { "", "a", "n".repeat(253), longName }) {
			assertThat(new ResourceKey("default", name)).hasSameHashCodeAs(new ResourceKey("default", name + ""));
		}
		Set<Integer> hashes = new HashSet<>();
		for (int i = 0; i < longName.length(); i++) {
			hashes.add(new ResourceKey("x", longName.substring(0, i) + "m" + longName.substring(i + 1)).hashCode());
			hashes.add(new ResourceKey("x", longName.substring(i)).hashCode());
		}
		assertThat(hashes).hasSizeGreaterThan(5_990);
		assertThat(new ResourceKey("a", "b").hashCode()).isNotEqualTo(new ResourceKey("ab", "").hashCode());
	}

	@Test
	void manyLabelsOrAnnotationsAreSorted() {
		Map<String, String> many = new HashMap<>();
		for (int i = 0; i < 33; i++) {
			many.put(CollidingNames.of(i), "value " + i);
		}
		Map<String, String> withNull = new LinkedHashMap<>(many);
		withNull.put("none", null);
		for (Map<String, String> given : Set.of(many, withNull)) {
			ObjectMeta metadata = new ObjectMeta("name", null, null, null, 0, given, given, null, null, null, null);
			assertThat(metadata.labels()).isEqualTo(many);
			assertThat(metadata.annotations()).isEqualTo(many).containsKey(CollidingNames.of(7));
			assertThat(List.copyOf(metadata.annotations().keySet())).isSorted();
			assertThatThrownBy(() -> metadata.labels().put("a", "b")).isInstanceOf(UnsupportedOperationException.class);
		}
	}

}
