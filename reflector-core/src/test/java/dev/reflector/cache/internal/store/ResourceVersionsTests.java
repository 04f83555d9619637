package dev.reflector.cache.internal.store;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link ResourceVersions}, among them C-396 to C-403.
 */
class ResourceVersionsTests {

	@ParameterizedTest
	@CsvSource({ "100,200,-1", "200,100,1", "1,1,0", "100,100,0", "99,100,-1", "100,99,1",
			"99999999999999999999999999999999999999999999999999,100000000000000000000000000000000000000000000000000,-1",
			"100000000000000000000000000000000000000000000000000,99999999999999999999999999999999999999999999999999,1",
			"100000000000000000000000000000000000000000000000000,100000000000000000000000000000000000000000000000000,0",
			"340282366920938463463374607431768211455,340282366920938463463374607431768211454,1" })
	void w68_aLongerVersionIsGreaterAndEqualLengthsCompareAsText(String version, String other, int expected) {
		assertThat(Integer.signum(ResourceVersions.compare(version, other))).isEqualTo(expected);
		assertThat(ResourceVersions.isGreater(version, other)).isEqualTo(expected > 0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "0", "0100", "100a", "-1", "1 ", "\u0661" })
	void w67_otherVersionsHaveNoOrder(String version) {
		assertThat(ResourceVersions.isWellFormed(version)).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceVersions.compare(version, "100"));
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceVersions.compare("100", version));
		assertThatIllegalArgumentException().isThrownBy(() -> ResourceVersions.compare(version, version));
		assertThat(ResourceVersions.isGreater("100", version)).isFalse();
		assertThat(ResourceVersions.isGreater(version, "100")).isFalse();
	}

	@Test
	void w67_digitsWithoutALeadingZeroAreWellFormed() {
		assertThat(ResourceVersions.isWellFormed("1")).isTrue();
		assertThat(ResourceVersions.isWellFormed("1002003004005006007008009")).isTrue();
	}

}
