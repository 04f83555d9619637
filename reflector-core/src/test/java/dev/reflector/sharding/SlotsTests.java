package dev.reflector.sharding;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Slots are equal parts of all hashes, and their selectors select what is in them.
 */
class SlotsTests {

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 7, 8, 64, 100, 1000, 8191, 8192 })
	void eachHashIsInItsSlotAndInNoOther(int count) {
		Slots slots = new Slots(count);
		Random random = new Random(count);
		for (int i = 0; i < 200; i++) {
			long hash = random.nextLong();
			int slot = slots.slotOfHash(hash);
			assertThat(slots.range(slot).contains(hash)).isTrue();
		}
		for (int slot = 0; slot < count; slot++) {
			long start = Long.parseUnsignedLong(slots.range(slot).start().substring(2), 16);
			assertThat(slots.slotOfHash(start)).isEqualTo(slot);
			if (slot > 0) {
				assertThat(slots.slotOfHash(start - 1)).isEqualTo(slot - 1);
				assertThat(slots.range(slot - 1).end()).isEqualTo(slots.range(slot).start());
			}
		}
		assertThat(slots.range(0).start()).isEqualTo("0x0000000000000000");
		assertThat(slots.range(count - 1).end()).isEqualTo("0x10000000000000000");
		assertThat(slots.slotOfHash(-1)).isEqualTo(count - 1);
	}

	@Test
	void valuesSpreadEvenly() {
		Slots slots = new Slots(16);
		int[] hits = new int[16];
		for (int i = 0; i < 16_000; i++) {
			hits[slots.slotOf("5f0e1c1e-4b3a-4a0e-9a3a-%012x".formatted(i * 7919L))]++;
		}
		assertThat(hits).satisfies((all) -> assertThat(IntStream.of(all).min().orElse(0)).isGreaterThan(850),
				(all) -> assertThat(IntStream.of(all).max().orElse(0)).isLessThan(1150));
	}

	@Test
	void neighboursMakeOneRange() {
		Slots slots = new Slots(8);
		assertThat(slots.selector(ShardField.UID, List.of(7, 1, 2, 3, 6, 1)).ranges()).containsExactly(
				new ShardRange("0x2000000000000000", "0x8000000000000000"),
				new ShardRange("0xc000000000000000", "0x10000000000000000"));
		assertThat(slots.selector(ShardField.UID, List.of(0, 1, 2, 3, 4, 5, 6, 7)).ranges())
			.containsExactly(new ShardRange("0x0000000000000000", "0x10000000000000000"));
	}

	@Test
	void theSelectorSelectsTheValuesOfItsSlots() {
		Slots slots = new Slots(7);
		List<Integer> some = List.of(0, 2, 3, 6);
		ShardSelector selector = slots.selector(ShardField.UID, some);
		for (int i = 0; i < 1000; i++) {
			String uid = "uid-" + i;
			assertThat(selector.matches(uid)).isEqualTo(some.contains(slots.slotOf(uid)));
		}
	}

	/** A selector without ranges would select everything. */
	@Test
	void thereIsNoSelectorForNothingAndNoneForSlotsThatDoNotExist() {
		Slots slots = new Slots(8);
		assertThatIllegalArgumentException().isThrownBy(() -> slots.selector(ShardField.UID, List.of()));
		assertThatIllegalArgumentException().isThrownBy(() -> slots.selector(ShardField.UID, List.of(8)))
			.withMessage("there is no slot 8 of 8");
		assertThatIllegalArgumentException().isThrownBy(() -> slots.range(-1));
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, -1, 8193 })
	void refusesOtherNumbers(int count) {
		assertThatIllegalArgumentException().isThrownBy(() -> new Slots(count));
	}

}
