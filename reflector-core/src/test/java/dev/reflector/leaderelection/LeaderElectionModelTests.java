package dev.reflector.leaderelection;

import java.time.Duration;
import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.reflector.fixture.LongForm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs many random histories of an election in virtual time. There are never two leaders
 * while the rates of the clocks differ by less than the bound, epochs only grow, and
 * there is a leader again when the trouble has ended. A failure names its seed.
 */
class LeaderElectionModelTests {

	private static final int HISTORIES = Integer.getInteger("reflector.test.elections", LongForm.times(2000, 250));

	/** Below 15 s : 10 s, from where on two leaders are possible. */
	private static final double RATES = 1.49;

	private static final LeaderElectionConfig SHORT = LeaderElectionConfig.builder()
		.leaseDuration(Duration.ofSeconds(3))
		.renewDeadline(Duration.ofSeconds(2))
		.retryPeriod(Duration.ofMillis(400))
		.releaseOnCancel(true)
		.build();

	private static final List<LeaderElectionConfig> CONFIGS = List.of(SHORT, LeaderElectionConfig.defaults(),
			LeaderElectionConfig.builder().releaseOnCancel(true).build());

	private final Logger logger = (Logger) LoggerFactory.getLogger(LeaderElector.class);

	/** Thousands of elections have much to say. */
	@BeforeEach
	void quiet() {
		this.logger.setLevel(Level.OFF);
	}

	@AfterEach
	void audible() {
		this.logger.setLevel(null);
	}

	@Test
	void neverTwoLeadersAndALeaderInTheEnd() {
		int terms = 0;
		for (long seed = 0; seed < HISTORIES; seed++) {
			terms += run(seed, CONFIGS.get((int) (seed % CONFIGS.size())), RATES, seed % 10 == 0);
		}
		assertThat(terms).as("terms").isGreaterThan(3 * HISTORIES);
	}

	/** The model can see two leaders, where the bound does not hold. */
	@Test
	void twoLeadersArePossibleBeyondTheBound() {
		boolean two = false;
		for (long seed = 0; seed < HISTORIES && !two; seed++) {
			two = isViolated(seed);
		}
		assertThat(two).isTrue();
	}

	private static boolean isViolated(long seed) {
		try {
			run(seed, LeaderElectionConfig.defaults(), 4, false);
			return false;
		}
		catch (AssertionError ex) {
			return ex.getMessage().contains("two leaders");
		}
	}

	private static int run(long seed, LeaderElectionConfig config, double rates, boolean sameIdentity) {
		ElectionModel model = new ElectionModel(seed, config, 2 + (int) (seed % 3), rates, sameIdentity);
		try {
			model.trouble(config.leaseDuration().multipliedBy(5));
			model.calm(config.leaseDuration().multipliedBy(5));
		}
		catch (AssertionError ex) {
			throw new AssertionError("seed " + seed + ": " + ex.getMessage(), ex);
		}
		assertThat(model.leaders()).as("leaders in the end, seed %s", seed).isOne();
		return model.terms();
	}

}
