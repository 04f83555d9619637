package dev.reflector.kafka;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of the properties.
 */
class KafkaPublisherPropertiesTests {

	@Test
	void propertiesHaveDescriptionsAndAreInTheReferenceAsTheyAre() throws Exception {
		String reference = Files.readString(Path.of("../docs/reference.md"));
		String metadata = new String(
				Objects.requireNonNull(getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json"))
					.readAllBytes());
		Map<String, String> defaults = Map.of("topics", "", "omit", "", "max-in-flight", "`1000`", "create-topics",
				"`true`", "partitions", "", "replication-factor", "", "reconcile", "`false`", "start-timeout", "`10s`",
				"failing-threshold", "`30s`");
		defaults.forEach((name, value) -> {
			String row = "reflector.publish.kafka." + name;
			Matcher property = Pattern.compile("\"name\": \"" + row + "\",[^}]*\"description\": \"([^\"]+)\"")
				.matcher(metadata);
			assertThat(property.find()).as(row).isTrue();
			assertThat(reference).containsPattern(Pattern.quote("| `" + row + "` | ") + "[^|]+"
					+ Pattern.quote(" | " + value + " | " + property.group(1) + " |"));
		});
		assertThat(Pattern.compile("\"name\": \"reflector\\.publish\\.kafka\\.").matcher(metadata).results())
			.hasSize(defaults.size());
	}

	@Test
	void wrongNumbersAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> properties(0, Duration.ofSeconds(10), Duration.ZERO))
			.withMessage("'reflector.publish.kafka.max-in-flight' must be at least 1");
		assertThatIllegalArgumentException().isThrownBy(() -> properties(1, Duration.ZERO, Duration.ZERO))
			.withMessage("'reflector.publish.kafka.start-timeout' must be at least 1ms");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> properties(1, Duration.ofSeconds(Long.MAX_VALUE), Duration.ZERO))
			.withMessage("'reflector.publish.kafka.start-timeout' must be 24d at most");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> properties(1, Duration.ofSeconds(10), Duration.ofSeconds(-1)))
			.withMessage("'reflector.publish.kafka.failing-threshold' must not be negative");
		assertThat(properties(1, Duration.ofMillis(1), Duration.ZERO).maxInFlight()).isEqualTo(1);
	}

	private static KafkaPublisherProperties properties(int maxInFlight, Duration startTimeout,
			Duration failingThreshold) {
		return new KafkaPublisherProperties(Map.of(), Map.of(), maxInFlight, true, null, null, false, startTimeout,
				failingThreshold);
	}

}
