package dev.reflector.sharding;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.reflector.ObjectMeta;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Fields, hashes, ranges and the text of selectors.
 */
class ShardSelectorTests {

	private static final String UID = "5f0e1c1e-4b3a-4a0e-9a3a-0123456789ab";

	@Test
	void c458_theFieldsAreUidAndNamespace() {
		ObjectMeta metadata = new ObjectMeta("cart", "shop", UID, "7", 0, Map.of(), Map.of(), null, null, List.of(),
				List.of());
		assertThat(ShardField.UID.value(metadata)).isEqualTo(UID);
		assertThat(ShardField.NAMESPACE.value(metadata)).isEqualTo("shop");
		assertThat(ShardField.NAMESPACE.value(ObjectMeta.of(null, "node-1"))).isEmpty();
	}

	@Test
	void c458_thereAreNoOtherFields() {
		assertThat(ShardField.values()).extracting(ShardField::path)
			.containsExactly("object.metadata.uid", "object.metadata.namespace");
	}

	/**
	 * The first three are known values of FNV-1a, the others have two, three and four
	 * bytes.
	 */
	@ParameterizedTest
	@CsvSource({ "'',cbf29ce484222325", "a,af63dc4c8601ec8c", "foobar,85944171f73967e8", "é,0ac21707b7181e01",
			"€,5646581b8855166b", "😀,feff073875020288" })
	void c459_theHashHas16LowerCaseDigits(String value, String expected) {
		assertThat(ShardHash.hex(ShardHash.of(value))).isEqualTo(expected);
	}

	@Test
	void c459_differentValuesHaveDifferentHashes() {
		Set<Long> hashes = new HashSet<>();
		for (int i = 0; i < 10_000; i++) {
			hashes.add(ShardHash.of("5f0e1c1e-4b3a-4a0e-9a3a-" + i));
		}
		assertThat(hashes).hasSize(10_000);
		assertThat(ShardHash.of(UID)).isEqualTo(ShardHash.of(new String(UID.toCharArray())));
	}

	@Test
	void halfOfASurrogatePairCountsAsTheReplacementCharacter() {
		assertThat(ShardHash.of("a\ud83d")).isEqualTo(ShardHash.of("a\ufffd"));
		assertThat(ShardHash.of("\ude00a")).isEqualTo(ShardHash.of("\ufffda"));
	}

	@Test
	void c460_withoutARangeEverythingIsSelected() {
		assertThat(selector().matches(UID)).isTrue();
		assertThat(selector().matches("")).isTrue();
	}

	@Test
	void c461_theFullRangeSelectsEverything() {
		ShardSelector full = selector(new ShardRange("0x0000000000000000", "0x10000000000000000"));
		for (int i = 0; i < 1000; i++) {
			assertThat(full.matches("uid-" + i)).isTrue();
		}
		assertThat(full.ranges().get(0).contains(-1)).isTrue();
		assertThat(full.ranges().get(0).contains(0)).isTrue();
	}

	@Test
	void c462_theStartBelongsToARange() {
		long hash = ShardHash.of(UID);
		assertThat(selector(ShardRange.of(hash, hash + 1)).matches(UID)).isTrue();
		assertThat(selector(ShardRange.of(hash + 1, hash + 2)).matches(UID)).isFalse();
		assertThat(selector(ShardRange.of(hash - 1, hash)).matches(UID)).isFalse();
	}

	@Test
	void c463_aHashOutsideOfTheRangesIsNotSelected() {
		ShardRange top = new ShardRange("0xffffffffffffff00", "0x10000000000000000");
		ShardRange bottom = new ShardRange("0x0000000000000000", "0x0000000000000001");
		assertThat(selector(top, bottom).matches(UID)).isFalse();
		assertThat(top.contains(0xffffffffffffff00L)).isTrue();
		assertThat(top.contains(0xfffffffffffffeffL)).isFalse();
		assertThat(bottom.contains(0)).isTrue();
		assertThat(bottom.contains(1)).isFalse();
	}

	@Test
	void c464_isEmptyWithoutARangeAndPrintsItsRanges() {
		assertThat(selector().ranges()).isEmpty();
		assertThat(selector()).hasToString("");
		assertThat(selector(new ShardRange("0x00", "0x80")))
			.hasToString("shardRange(object.metadata.uid, '0x00', '0x80')");
	}

	@Test
	void boundsAreComparedByTheirLengthFirst() {
		assertThat(new ShardRange("0x00", "0x10000000000000000").contains(0)).isTrue();
		assertThat(new ShardRange("0x00", "0x80").contains(5)).isFalse();
		assertThat(new ShardRange("0x10000000000000000", "0x10000000000000001").contains(0)).isFalse();
	}

	@Test
	void printsEachRangeWithItsField() {
		ShardSelector two = new Slots(4).selector(ShardField.NAMESPACE, List.of(0, 2));
		assertThat(two).hasToString("shardRange(object.metadata.namespace, '0x0000000000000000', '0x4000000000000000')"
				+ " || shardRange(object.metadata.namespace, '0x8000000000000000', '0xc000000000000000')");
	}

	@ParameterizedTest
	@ValueSource(strings = { "00", "0xAB", "0x100000000000000000", "0x", "everything", "" })
	void refusesWhatIsNoBound(String bound) {
		assertThatIllegalArgumentException().isThrownBy(() -> new ShardRange("0x00", bound));
		assertThatIllegalArgumentException().isThrownBy(() -> new ShardRange(bound, "0x80"));
	}

	private static ShardSelector selector(ShardRange... ranges) {
		return new ShardSelector(ShardField.UID, List.of(ranges));
	}

}
