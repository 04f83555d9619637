package dev.reflector.console;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The properties are in the guide as they are.
 */
class ReflectorConsolePropertiesTests {

	@Test
	void propertiesHaveDescriptionsAndAreInTheGuideAsTheyAre() throws Exception {
		String guide = Files.readString(Path.of("../docs/configuration.md"));
		String metadata = new String(
				Objects.requireNonNull(getClass().getResourceAsStream("/META-INF/spring-configuration-metadata.json"))
					.readAllBytes(),
				StandardCharsets.UTF_8);
		Map<String, String> defaults = Map.of("enabled", "`false`", "path", "`/reflectors`", "write-operations",
				"`false`");
		defaults.forEach((name, value) -> {
			String row = "reflector.console." + name;
			Matcher property = Pattern.compile("\"name\": \"" + row + "\",[^}]*\"description\": \"([^\"]+)\"")
				.matcher(metadata);
			assertThat(property.find()).as(row).isTrue();
			assertThat(guide).contains("| `" + row + "` | " + value + " | " + property.group(1) + " |");
		});
		assertThat(Pattern.compile("\"name\": \"reflector\\.console\\.").matcher(metadata).results())
			.hasSize(defaults.size());
	}

}
