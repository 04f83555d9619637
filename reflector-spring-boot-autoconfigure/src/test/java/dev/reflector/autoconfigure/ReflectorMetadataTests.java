package dev.reflector.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests of the configuration metadata that the build generates.
 */
class ReflectorMetadataTests {

	private static final List<String> WITHOUT_DEFAULT = List.of("management.endpoint.reflectors.roles",
			"reflector.api-server.url", "reflector.api-server.kubeconfig", "reflector.api-server.context",
			"reflector.api-server.token", "reflector.api-server.token-file", "reflector.api-server.ssl-bundle",
			"reflector.api-server.namespace", "reflector.resources", "reflector.resources.*.api-version",
			"reflector.resources.*.kind", "reflector.resources.*.plural", "reflector.resources.*.namespaces",
			"reflector.resources.*.label-selector", "reflector.resources.*.field-selector",
			"reflector.resources.*.resync-period", "reflector.resources.*.metadata-only",
			"reflector.api-server.response-timeout");

	@Test
	void everyPropertyHasADescription() throws IOException {
		assertThat(properties()).isNotEmpty()
			.allSatisfy((property) -> assertThat(property.path("description").asString(""))
				.as(property.path("name").asString())
				.isNotBlank());
	}

	@Test
	void everyPropertyThatHasADefaultSaysSo() throws IOException {
		assertThat(properties().stream()
			.filter((property) -> property.path("defaultValue").isMissingNode())
			.map((property) -> property.path("name").asString())).containsExactlyInAnyOrderElementsOf(WITHOUT_DEFAULT);
	}

	@Test
	void everySettingOfAResourceIsDescribed() throws IOException {
		List<String> names = properties().stream().map((property) -> property.path("name").asString()).toList();
		for (var component : ReflectorProperties.Resource.class.getRecordComponents()) {
			assertThat(names).contains("reflector.resources.*."
					+ component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
		}
	}

	@Test
	void everyPropertyIsInTheGuideAsItIs() throws IOException {
		String guide = Files.readString(Path.of("..", "docs", "configuration.md"));
		for (JsonNode property : properties()) {
			String name = property.path("name").asString();
			if (!name.equals("reflector.resources")) {
				String defaultValue = property.path("defaultValue").asString("");
				assertThat(guide).contains("| `" + name.replace("*", "<name>") + "` | "
						+ (defaultValue.isEmpty() ? "" : "`" + defaultValue + "`") + " | "
						+ property.path("description").asString() + " |");
			}
		}
	}

	private static List<JsonNode> properties() throws IOException {
		try (InputStream metadata = ReflectorProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			return JsonMapper.shared()
				.readTree(metadata)
				.path("properties")
				.valueStream()
				.filter((property) -> property.path("name").asString().contains("reflector"))
				.toList();
		}
	}

}
