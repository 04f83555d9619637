package dev.reflector.sharding;

import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

/**
 * Who should own which slot.
 */
class AssignmentTests {

	private static final Slots SLOTS = new Slots(160);

	private final RendezvousAssignment rendezvous = new RendezvousAssignment(SLOTS);

	@Test
	void eachSlotHasOneOwner() {
		Set<String> live = members(10);
		int sum = 0;
		for (String member : live) {
			DesiredSlots slots = this.rendezvous.desired(member, live);
			assertThat(slots.toSet()).hasSize(slots.size())
				.allSatisfy((slot) -> assertThat(this.rendezvous.owners(live).get(slot)).isEqualTo(member));
			sum += slots.size();
		}
		assertThat(sum).isEqualTo(SLOTS.count());
		assertThat(this.rendezvous.owners(Set.of())).containsOnlyNulls();
		assertThat(this.rendezvous.desired("alone", Set.of("alone")).size()).isEqualTo(SLOTS.count());
	}

	/** All replicas must agree, including those of an earlier release. */
	@Test
	void theOwnersAreAlwaysTheSame() {
		assertThat(new RendezvousAssignment(new Slots(8)).owners(Set.of("shop-0", "shop-1", "shop-2")))
			.containsExactly("shop-0", "shop-2", "shop-2", "shop-0", "shop-2", "shop-1", "shop-0", "shop-1");
	}

	/** The figures of the page on scaling. */
	@ParameterizedTest
	@CsvSource({ "64,4,1.3", "64,8,1.6", "64,16,2.0", "128,8,1.4", "256,16,1.5" })
	void theLargestPartIsAsTheGuideSays(int slots, int replicas, double expected) {
		Random random = new Random(11);
		double sum = 0;
		for (int i = 0; i < 50; i++) {
			Set<String> live = new HashSet<>();
			while (live.size() < replicas) {
				live.add("shop-" + Long.toString(random.nextLong(), 36));
			}
			List<@Nullable String> owners = new RendezvousAssignment(new Slots(slots)).owners(live);
			long largest = live.stream()
				.mapToLong((member) -> Collections.frequency(owners, member))
				.max()
				.orElseThrow();
			sum += largest * (double) replicas / slots;
		}
		assertThat(sum / 50).isCloseTo(expected, within(0.12));
	}

	@Test
	void theAnswerDoesNotDependOnEarlierOnes() {
		Random random = new Random(7);
		for (int i = 0; i < 200; i++) {
			Set<String> live = new HashSet<>();
			IntStream.range(0, 12)
				.filter((member) -> random.nextBoolean())
				.forEach((member) -> live.add("m-" + member));
			live.add("self");
			assertThat(this.rendezvous.desired("self", live))
				.isEqualTo(new RendezvousAssignment(SLOTS).desired("self", live));
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 3, 10, 50 })
	void aChangeMovesTheShareOfOneReplicaAndNothingElse(int replicas) {
		RendezvousAssignment assignment = new RendezvousAssignment(new Slots(2000));
		Set<String> live = members(replicas);
		List<@Nullable String> before = assignment.owners(live);
		live.add("another");
		List<@Nullable String> after = assignment.owners(live);
		int moved = 0;
		for (int slot = 0; slot < 2000; slot++) {
			if (!String.valueOf(after.get(slot)).equals(before.get(slot))) {
				assertThat(after.get(slot)).isEqualTo("another");
				moved++;
			}
		}
		assertThat(moved / 2000.0).isCloseTo(1.0 / (replicas + 1), within(0.5 / (replicas + 1)));
		live.remove("another");
		assertThat(assignment.owners(live)).isEqualTo(before);
	}

	/** Tests the figures in the Javadoc of the assignment. */
	@ParameterizedTest
	@CsvSource({ "8,1.6,0.5", "16,1.4,0.6", "32,1.3,0.7" })
	void theSharesOfTenReplicasAreAsEvenAsIsSaid(int slotsPerReplica, double largest, double smallest) {
		double largestSum = 0;
		double smallestSum = 0;
		for (int round = 0; round < 100; round++) {
			RendezvousAssignment assignment = new RendezvousAssignment(new Slots(10 * slotsPerReplica));
			Set<String> live = new HashSet<>();
			for (int i = 0; i < 10; i++) {
				live.add("shop-" + ShardHash.hex(ShardHash.of(round + "-" + i)).substring(0, 10));
			}
			List<Integer> sizes = live.stream()
				.map((member) -> assignment.desired(member, live).size())
				.sorted()
				.toList();
			smallestSum += sizes.get(0);
			largestSum += sizes.get(9);
		}
		assertThat(largestSum / 100 / slotsPerReplica).isCloseTo(largest, within(0.08));
		assertThat(smallestSum / 100 / slotsPerReplica).isCloseTo(smallest, within(0.08));
	}

	@ParameterizedTest
	@CsvSource({ "1,8", "2,8", "3,8", "8,8", "7,100" })
	void staticReplicasHaveAllSlotsAndNoneTwice(int count, int slots) {
		Set<Integer> all = new HashSet<>();
		int sum = 0;
		for (int index = 0; index < count; index++) {
			DesiredSlots own = new StaticAssignment(index, count, new Slots(slots)).desired("any", Set.of());
			assertThat(own.size()).isBetween(slots / count, slots / count + 1);
			assertThat(new Slots(slots).selector(ShardField.UID, own.toSet()).ranges()).hasSize(1);
			all.addAll(own.toSet());
			sum += own.size();
		}
		assertThat(all).hasSize(slots);
		assertThat(sum).isEqualTo(slots);
	}

	@Test
	void aStaticReplicaThatCannotBeIsRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new StaticAssignment(8, 8, new Slots(64)))
			.withMessageContaining("from 0 to 7");
		assertThatIllegalArgumentException().isThrownBy(() -> new StaticAssignment(-1, 8, new Slots(64)));
		assertThatIllegalArgumentException().isThrownBy(() -> new StaticAssignment(0, 9, new Slots(8)))
			.withMessageContaining("number of slots, 8, not 9");
		assertThatIllegalArgumentException().isThrownBy(() -> new StaticAssignment(0, 0, new Slots(8)));
	}

	@Test
	void theOrdinalIsAtTheEndOfTheHostName() {
		assertThat(StaticAssignment.ordinal("shop-3")).isEqualTo(3);
		assertThat(StaticAssignment.ordinal("my-shop-12.my-shop.apps.svc.cluster.local")).isEqualTo(12);
		for (String other : List.of("shop", "shop-", "shop-7d9f8b", "3", "shop3", "shop-99999999999", "")) {
			assertThatIllegalArgumentException().isThrownBy(() -> StaticAssignment.ordinal(other))
				.withMessageContaining("StatefulSet");
		}
	}

	@Test
	void withoutLeasesAStaticReplicaAlwaysOwnsItsSlots() {
		ShardOwnership ownership = new StaticAssignment(1, 2, new Slots(4)).ownership();
		assertThat(ownership.slots()).isEqualTo(new Slots(4));
		assertThat(IntStream.range(0, 4).filter(ownership::isOwner)).containsExactly(2, 3);
		assertThat(ownership.epoch(2)).isZero();
		assertThat(ownership.epoch(0)).isEqualTo(ShardOwnership.NOT_OWNED);
	}

	private static Set<String> members(int count) {
		Set<String> members = new HashSet<>();
		IntStream.range(0, count).forEach((i) -> members.add("shop-" + i));
		return members;
	}

}
