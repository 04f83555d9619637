package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.reflector.fixture.LongForm;
import dev.reflector.sharding.Slots;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A group of very many replicas, in virtual time: when some of them are killed and others
 * leave, each slot has an owner again soon. {@code -Dtests.soak=...} has 1,000 of them,
 * {@code -Dreflector.test.shards.replicas=N} another number.
 */
class ManyReplicasModelTests extends ShardHistories {

	private static final ShardMembershipConfig MANY = ShardMembershipConfig.builder()
		.retryPeriod(Duration.ofSeconds(5))
		.build();

	@Test
	void eachSlotHasAnOwnerAgainSoon() {
		// computation grows with the square of the number of replicas
		int many = LongForm.soak().isZero() ? LongForm.times(400, 100) : 1000;
		int replicas = Integer.getInteger("reflector.test.shards.replicas", many);
		histories(1, (seed) -> {
			MembershipModel model = new MembershipModel(seed, MANY, new Slots(replicas), 1.2);
			model.oneAssignment();
			List<MembershipModel.Replica> all = new ArrayList<>();
			for (int i = 0; i < replicas; i++) {
				all.add(model.join());
			}
			model.runOwned(Duration.ofSeconds(15));
			print(replicas + " have joined", model);
			for (int i = 0; i < 10; i++) {
				model.kill(all.remove(i * 7));
				model.stop(all.remove(i * 5));
			}
			model.runOwned(Duration.ofSeconds(35));
			assertAllOwned(model, replicas);
			print("10 were killed and 10 have left", model);
			model.join();
			model.trouble(Duration.ofSeconds(20));
			model.recover(Duration.ZERO);
			model.runOwned(Duration.ofSeconds(45));
			assertAllOwned(model, replicas);
			print("20 s of trouble, and 45 s without", model);
		});
	}

	private static void print(String what, MembershipModel model) {
		System.out.println(what + ": " + model.figures());
	}

	private static void assertAllOwned(MembershipModel model, int slots) {
		for (int slot = 0; slot < slots; slot++) {
			assertThat(model.owner(slot)).as("owner of slot %d", slot).isNotNull();
		}
	}

}
