package dev.reflector.client.internal.bind;

import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

class GoDurationsTests {

	private static final JsonMapper MAPPER = ServerObjectModule.mapper(JsonMapper.builder().build());

	record Timed(Duration timeout) {

	}

	private static Duration read(String value) {
		return MAPPER.readValue("{\"timeout\":" + value + "}", Timed.class).timeout();
	}

	@ParameterizedTest
	@CsvSource({ "30s,PT30S", "2160h0m0s,PT2160H", "1h2m3.5s,PT1H2M3.5S", "-1m,PT-1M", "100ms,PT0.1S", "1.5h,PT1H30M",
			"3us,PT0.000003S", "7ns,PT0.000000007S", "0,PT0S", "0s,PT0S", "+5s,PT5S", ".5s,PT0.5S" })
	void readsDurationsOfGo(String text, Duration expected) {
		assertThat(read('"' + text + '"')).isEqualTo(expected);
	}

	@Test
	void readsWhatJacksonReads() {
		assertThat(read("\"PT30S\"")).isEqualTo(Duration.ofSeconds(30));
		assertThat(read("12")).isEqualTo(Duration.ofSeconds(12));
		assertThat(read("null")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "30", "s", "1d", "1h 2m", "99999999999999999999999h", "1s1" })
	void refusesWhatIsNeither(String text) {
		assertThatException().isThrownBy(() -> read('"' + text + '"'));
	}

}
