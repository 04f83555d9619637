package dev.reflector.cache.internal.delivery;

import java.util.stream.IntStream;

import dev.reflector.ResourceKey;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of {@link KeyStripe}.
 */
class KeyStripeTests {

	private static final int COUNT = 4;

	/** The factors of the hash codes are others for each length of a name. */
	@Test
	void consecutiveNamesAreDividedEvenlyWhateverTheFactorsOfTheirHashCodes() {
		for (int length = 1; length < 240; length++) {
			String prefix = "x".repeat(length) + "-";
			for (int index = 0; index < COUNT; index++) {
				KeyStripe stripe = new KeyStripe(index, COUNT);
				assertThat(IntStream.range(0, 100)
					.filter((i) -> stripe.has(new ResourceKey("default", prefix + i)))
					.count()).as("of 100 names behind %d characters, in stripe %d", length, index).isBetween(3L, 60L);
			}
		}
	}

}
