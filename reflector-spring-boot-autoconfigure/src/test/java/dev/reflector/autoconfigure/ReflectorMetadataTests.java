package dev.reflector.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.reflector.autoconfigure.registration.ReflectedResourceProperties;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

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
			"reflector.resources.*.max-objects", "reflector.resources.*.max-size",
			"reflector.resources.*.snapshot-name", "reflector.api-server.response-timeout", "reflector.list.page-size",
			"reflector.leader-election.name", "reflector.leader-election.namespace",
			"reflector.leader-election.identity", "reflector.sharding.count", "reflector.sharding.index",
			"reflector.sharding.leases.group", "reflector.sharding.leases.identity",
			"reflector.sharding.leases.namespace");

	/** Words that make sense only next to the description of another property. */
	private static final Pattern DANGLING = Pattern.compile("\\b(?:for that|shown these)\\b|^(?:They|It|This)\\b");

	@Test
	void everyPropertyHasADescription() throws IOException {
		assertThat(properties()).isNotEmpty()
			.allSatisfy((property) -> assertThat(property.path("description").asString(""))
				.as(property.path("name").asString())
				.isNotBlank());
	}

	/** An IDE shows one description, next to the name of its property. */
	@Test
	void everyDescriptionCanBeUnderstoodByItself() throws IOException {
		List<String> descriptions = properties().stream()
			.map((property) -> property.path("description").asString())
			.toList();
		assertThat(descriptions).doesNotHaveDuplicates()
			.allSatisfy((description) -> assertThat(description.split(" ")).as(description).hasSizeGreaterThan(3))
			.allSatisfy((description) -> assertThat(description).doesNotContainPattern(DANGLING));
	}

	/**
	 * An IDE finds the values of an enum by itself, but only a hint explains the values
	 * of the library's enums.
	 */
	@Test
	void anIdeCanOfferTheValuesOfWhateverIsNeitherTextNorANumber() throws IOException {
		List<String> hints = metadata().path("hints")
			.valueStream()
			.filter((hint) -> !hint.path("values").isEmpty())
			.map((hint) -> hint.path("name").asString())
			.toList();
		List<JsonNode> chosen = properties().stream().filter((property) -> !isTextOrNumber(property)).toList();
		assertThat(chosen).hasSizeGreaterThan(5).allSatisfy((property) -> {
			Class<?> type = ClassUtils.resolveClassName(property.path("type").asString(), null);
			boolean known = type.isEnum() && !type.getName().startsWith("dev.reflector.");
			assertThat(known || hints.contains(property.path("name").asString())).as(property.path("name").asString())
				.isTrue();
		});
	}

	/**
	 * Whether a value is a text, a number, a boolean, or is written like one of these.
	 */
	private static boolean isTextOrNumber(JsonNode property) {
		String type = property.path("type").asString();
		return type.startsWith("java.") || type.equals(DataSize.class.getName());
	}

	@Test
	void everyHintIsAboutAPropertyAndItsValues() throws IOException {
		List<JsonNode> hints = metadata().path("hints").valueStream().toList();
		assertThat(hints).isNotEmpty().allSatisfy((hint) -> {
			JsonNode property = properties().stream()
				.filter((candidate) -> candidate.path("name").equals(hint.path("name")))
				.findFirst()
				.orElseThrow();
			Class<?> type = ClassUtils.resolveClassName(property.path("type").asString(), null);
			assertThat(hint.path("values")
				.valueStream()
				.map((value) -> value.path("value").asString().replace('-', '_').toUpperCase(Locale.ROOT)))
				.as(hint.path("name").asString())
				.containsExactlyInAnyOrderElementsOf(
						Stream.of(type.getEnumConstants()).map((constant) -> ((Enum<?>) constant).name()).toList());
			assertThat(hint.path("values").valueStream())
				.allSatisfy((value) -> assertThat(value.path("description").asString("")).isNotBlank());
		});
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
		for (var component : ReflectedResourceProperties.class.getRecordComponents()) {
			assertThat(names).contains("reflector.resources.*."
					+ component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT));
		}
	}

	@Test
	void everyPropertyIsInTheReferenceAsItIs() throws IOException {
		String reference = Files.readString(Path.of("..", "docs", "reference.md"));
		for (JsonNode property : properties()) {
			String name = property.path("name").asString();
			if (!name.equals("reflector.resources")) {
				String defaultValue = property.path("defaultValue").asString("");
				assertThat(reference).containsPattern(Pattern.quote("| `" + name.replace("*", "<name>") + "` | ")
						+ "[^|]+" + Pattern.quote(" | " + (defaultValue.isEmpty() ? "" : "`" + defaultValue + "`")
								+ " | " + property.path("description").asString() + " |"));
			}
		}
	}

	static List<JsonNode> properties() throws IOException {
		return metadata().path("properties")
			.valueStream()
			.filter((property) -> property.path("name").asString().contains("reflector"))
			.toList();
	}

	private static JsonNode metadata() throws IOException {
		try (InputStream metadata = ReflectorProperties.class
			.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
			return JsonMapper.shared().readTree(metadata);
		}
	}

}
