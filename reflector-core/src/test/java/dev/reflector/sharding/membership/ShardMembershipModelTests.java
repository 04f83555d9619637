package dev.reflector.sharding.membership;

import dev.reflector.fixture.LongForm;
import dev.reflector.sharding.Slots;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs many random histories of a group of replicas: no slot has two owners while the
 * rates of the clocks differ by less than the bound, and epochs only grow.
 */
class ShardMembershipModelTests extends ShardHistories {

	/** Below 15 s : 10 s, from where on two owners are possible. */
	private static final double RATES = 1.49;

	@Test
	void neverTwoOwnersAndAllSlotsAreOwnedInTheEnd() {
		int[] acquired = new int[1];
		histories(LongForm.times(1000, 50), (seed) -> {
			MembershipModel model = model(seed, 16, RATES);
			if (seed % 5 == 1) {
				model.oneIndex();
			}
			for (int i = 0; i < 2 + seed % 4; i++) {
				model.join((seed % 10 == 0) ? "same" : "replica-" + i);
			}
			model.trouble(config(seed).leaseDuration().multipliedBy(8));
			if (seed % 4 == 0) {
				model.recover(config(seed).leaseDuration().multipliedBy(3).plusSeconds(20));
				model.runOwned(config(seed).leaseDuration().multipliedBy(8).plusSeconds(20));
			}
			acquired[0] += model.acquired();
		});
		assertThat(acquired[0]).as("slots that were acquired").isGreaterThan((SEED != null) ? 0 : 1000);
	}

	@Test
	void leasesThatAreDeletedChangedOrRestoredMakeNoSecondOwner() {
		histories(LongForm.times(60, 5), (seed) -> {
			MembershipModel model = model(seed, 32, RATES);
			for (int i = 0; i < 2 + seed % 5; i++) {
				model.join();
			}
			model.runOwned(config(seed).leaseDuration().multipliedBy(2));
			model.handsOnLeases(8, config(seed).leaseDuration().multipliedBy(3));
		});
	}

	/** The model can see two owners, where the bound does not hold. */
	@Test
	void twoOwnersArePossibleBeyondTheBound() {
		boolean two = false;
		for (long seed = 0; seed < 2000 && !two; seed++) {
			two = isViolated(seed);
		}
		assertThat(two).isTrue();
	}

	private static boolean isViolated(long seed) {
		MembershipModel model = new MembershipModel(seed, LONG, new Slots(16), 4);
		for (int i = 0; i < 3; i++) {
			model.join();
		}
		try {
			model.trouble(LONG.leaseDuration().multipliedBy(8));
			return false;
		}
		catch (AssertionError ex) {
			return ex.getMessage().contains("two owners");
		}
	}

}
