package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.reflector.fixture.LongForm;
import dev.reflector.sharding.RendezvousAssignment;
import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs many random histories of a group of replicas: no slot is without an owner for
 * long, and each change moves no more slots than it must.
 */
class ShardHandoverModelTests extends ShardHistories {

	@Test
	void noSlotIsWithoutAnOwnerForLong() {
		histories(LongForm.times(50, 5), (seed) -> {
			MembershipModel model = model(seed, 32, 1.01);
			for (int i = 0; i < 3 + seed % 8; i++) {
				model.join();
			}
			model.runOwned(config(seed).leaseDuration());
			model.incidents(8, config(seed).leaseDuration().multipliedBy(3));
			assertThat(model.reported()).as("reports of slots that soon have an owner").isZero();
		});
	}

	/**
	 * Even if the cancellation of a timer comes too late, there is one round at a time.
	 */
	@Test
	void aHealthyGroupWritesWhatTheServerAcceptsAndLosesNothing() {
		histories(LongForm.times(60, 5), (seed) -> {
			MembershipModel model = model(seed, 64, 1.01);
			List<MembershipModel.Replica> all = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				all.add(model.join());
			}
			for (int i = 0; i < 4; i++) {
				model.runOwned(config(seed).leaseDuration());
				model.stop(all.remove(0));
				model.runOwned(config(seed).retryPeriod());
				all.add(model.join());
			}
			model.runOwned(config(seed).leaseDuration());
			assertThat(model.refused()).as("writes with 409").isZero();
			assertThat(model.lapsed()).as("slots that were lost").isZero();
		});
	}

	/** All replicas are at rest before and after the change. */
	@Test
	void aChangeMovesTheShareOfOneReplica() {
		histories(LongForm.times(12, 2), (seed) -> {
			int replicas = 10;
			MembershipModel model = model(seed, 320, 1.01);
			List<MembershipModel.Replica> all = new ArrayList<>();
			for (int i = 0; i < replicas; i++) {
				all.add(model.join());
			}
			model.runOwned(config(seed).leaseDuration().multipliedBy(2));
			assertMoved(model, all, replicas, () -> all.add(model.join()), seed);
			assertMoved(model, all, replicas + 1, () -> model.stop(all.remove(3)), seed);
			assertMoved(model, all, replicas, () -> model.kill(all.remove(5)), seed);
		});
	}

	private static void assertMoved(MembershipModel model, List<MembershipModel.Replica> all, int replicas,
			Runnable change, long seed) {
		RendezvousAssignment assignment = new RendezvousAssignment(new Slots(320));
		List<@Nullable String> before = assignment.owners(identities(all));
		int acquired = model.acquired();
		change.run();
		model.runOwned(config(seed).leaseDuration().multipliedBy(3));
		List<@Nullable String> after = assignment.owners(identities(all));
		int moved = 0;
		for (int slot = 0; slot < 320; slot++) {
			moved += String.valueOf(before.get(slot)).equals(after.get(slot)) ? 0 : 1;
			assertThat(model.owner(slot)).hasToString(String.valueOf(after.get(slot)));
		}
		assertThat(model.acquired() - acquired).as("moved")
			.isEqualTo(moved)
			.isBetween(320 / replicas / 2, 640 / replicas);
	}

	private static Set<String> identities(List<MembershipModel.Replica> replicas) {
		Set<String> identities = new HashSet<>();
		replicas.forEach((replica) -> identities.add(replica.identity()));
		return identities;
	}

	/** The last one deletes the Leases of all. */
	@Test
	void nothingIsLeftWhenAllHaveLeft() {
		histories(LongForm.times(60, 5), (seed) -> {
			MembershipModel model = model(seed, 16, 1.01);
			List<MembershipModel.Replica> all = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				all.add(model.join());
			}
			model.runOwned(config(seed).leaseDuration());
			all.forEach(model::stop);
			model.run(config(seed).leaseDuration().multipliedBy(3));
			assertThat(model.leases()).as("leases").isZero();
		});
	}

}
