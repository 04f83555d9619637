package dev.reflector.sharding.membership;

import java.time.Duration;
import java.util.function.LongConsumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.reflector.sharding.Slots;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.slf4j.LoggerFactory;

/**
 * Random histories of a group of replicas in virtual time, one for each seed. A failure
 * names its seed, with which {@code -Dreflector.test.shards.seed} repeats it;
 * {@code -Dreflector.test.shards.histories} runs as many of each kind as asked where
 * there are several.
 */
abstract class ShardHistories {

	static final @Nullable Long SEED = Long.getLong("reflector.test.shards.seed");

	static final ShardMembershipConfig SHORT = ShardMembershipConfig.builder()
		.leaseDuration(Duration.ofSeconds(3))
		.renewDeadline(Duration.ofSeconds(2))
		.retryPeriod(Duration.ofMillis(400))
		.unownedAfter(Duration.ofSeconds(10))
		.build();

	static final ShardMembershipConfig LONG = ShardMembershipConfig.defaults();

	private final Logger logger = (Logger) LoggerFactory.getLogger(ShardMembership.class);

	/** Thousands of histories have much to say. */
	@BeforeEach
	final void quiet() {
		this.logger.setLevel(Level.OFF);
	}

	@AfterEach
	final void audible() {
		this.logger.setLevel(null);
	}

	static MembershipModel model(long seed, int slots, double rates) {
		return new MembershipModel(seed, config(seed), new Slots(slots), rates);
	}

	static ShardMembershipConfig config(long seed) {
		return (seed % 2 == 0) ? SHORT : LONG;
	}

	static void histories(int number, LongConsumer history) {
		int count = (number > 1) ? Integer.getInteger("reflector.test.shards.histories", number) : number;
		for (long seed = (SEED != null) ? SEED : 0; seed < ((SEED != null) ? SEED + 1 : count); seed++) {
			try {
				history.accept(seed);
			}
			catch (AssertionError ex) {
				throw new AssertionError("seed " + seed + ": " + ex.getMessage(), ex);
			}
		}
	}

}
