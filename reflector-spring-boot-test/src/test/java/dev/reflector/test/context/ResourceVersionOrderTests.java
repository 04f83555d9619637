package dev.reflector.test.context;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ResourceVersionOrder}.
 */
class ResourceVersionOrderTests {

	@ParameterizedTest(name = "W-68: {0} has reached {1}: {2}")
	@CsvSource({ "200,100,true", "100,100,true", "100,99,true", "100,200,false", "99,100,false",
			"1000000000000000000000000000000000000000000000000001,999999999999999999999999999999999999999999999999999,true",
			"999999999999999999999999999999999999999999999999999,1000000000000000000000000000000000000000000000000001,false" })
	void longerIsLaterAndEqualLengthComparesAsText(String version, String other, boolean reached) {
		assertThat(ResourceVersionOrder.reached(version, other)).isEqualTo(reached);
	}

	@ParameterizedTest(name = "W-69: {0} has reached {1}: {2}")
	@CsvSource({ "'',1,false", "5,'',false", "007,6,false", "007,007,true", "12a,11,false", "12a,12a,true", "7,0,false",
			"0,0,true", "-2,-3,false", "2,1.5,false" })
	void malformedVersionsMustBeEqual(String version, String other, boolean reached) {
		assertThat(ResourceVersionOrder.reached(version, other)).isEqualTo(reached);
	}

}
