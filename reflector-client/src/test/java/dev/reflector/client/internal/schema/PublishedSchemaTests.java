package dev.reflector.client.internal.schema;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.reflector.ObjectMeta;
import dev.reflector.client.internal.bind.DeclaredValue;
import dev.reflector.client.internal.bind.ServerObjectModule;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares types with the documents that an API server of Kubernetes 1.36 publishes for
 * the two versions of a CRD, as they were recorded: int-or-string is unfolded, embedded
 * objects have metadata, and what only validates has no types.
 */
class PublishedSchemaTests {

	private static final JsonMapper MAPPER = ServerObjectModule.mapper(JsonMapper.builder().build());

	private static List<String> compare(String version, Class<?> type) throws IOException {
		String name = "/openapi-v3-schema.example.com-" + version + ".json.gz";
		try (InputStream document = new GZIPInputStream(PublishedSchemaTests.class.getResourceAsStream(name))) {
			ServerSchemas schemas = SchemaReader.read(document, "schema.example.com/" + version, Set.of("Gadget"));
			assertThat(schemas.of("Gadget")).isNotNull();
			return SchemaComparison.compare(DeclaredValue.of(MAPPER.readerFor(type), type), schemas, "Gadget");
		}
	}

	@Test
	void aTypeThatFitsIsNotReported() throws IOException {
		assertThat(compare("v1", Right.class)).isEmpty();
	}

	@Test
	void whatDoesNotFitIsFound() throws IOException {
		assertThat(compare("v1", Wrong.class)).containsExactly(
				"'metadata.labels' is an object in the schema, which cannot be read into List",
				"'metadata.creationTimestmap' is not in the schema (did you mean 'creationTimestamp'?)",
				"'spec.replicsa' is not in the schema (did you mean 'replicas'?)",
				"'spec.paused' is a boolean in the schema, which cannot be read into List",
				"'spec.partly.known' is an integer in the schema, which cannot be read into Map",
				"'spec.phase' may be 'New', 'Old' in the schema, which cannot be read into Phase",
				"'spec.at' is a string with the format 'date-time' in the schema, which cannot be read into Duration",
				"'spec.choice.onee' is not in the schema (did you mean 'one'?)",
				"'spec.parts[].weigth' is not in the schema (did you mean 'weight'?)",
				"'status.conditions[].type' is a string in the schema, which cannot be read into Map",
				"'statsu' is not in the schema (did you mean 'status'?)");
	}

	@Test
	void theVersionDecides() throws IOException {
		assertThat(compare("v1beta1", Counted.class)).isEmpty();
		assertThat(compare("v1", Counted.class)).containsExactly("'spec.count' is not in the schema");
	}

	record Counted(ObjectMeta metadata, Spec spec) {

		record Spec(int count) {

		}

	}

	record Right(String apiVersion, String kind, OwnMeta metadata, Spec spec, Status status) {

		record OwnMeta(String name, String namespace, String uid, String resourceVersion, long generation,
				Instant creationTimestamp, Instant deletionTimestamp, Map<String, String> labels,
				List<Owner> ownerReferences, List<String> finalizers) {

		}

		record Owner(String apiVersion, String kind, String name, String uid, Boolean controller) {

		}

		record Spec(int replicas, String size, String port, BigDecimal cpu, int share, Map<String, String> limits,
				Map<String, String> labels, Template template, Partly partly, Object object, Phase phase, Instant at,
				double ratio, Boolean paused, List<List<Integer>> matrix, Choice choice, List<Part> parts) {

		}

		record Template(String anything) {

		}

		record Partly(int known, JsonNode more) {

		}

		enum Phase {

			@JsonProperty("New")
			NEW, @JsonProperty("Old")
			OLD

		}

		record Choice(One one, String other) {

		}

		record One(String x) {

		}

		record Part(String name, long weight) {

		}

		record Status(int replicas, List<Condition> conditions) {

		}

		record Condition(String type, Instant lastTransitionTime) {

		}

	}

	record Wrong(OwnMeta metadata, Spec spec, Status status, Map<String, String> statsu) {

		record OwnMeta(String name, List<String> labels, Instant creationTimestmap) {

		}

		enum Phase {

			NEW, OLD

		}

		record Spec(int replicsa, List<String> paused, Partly partly, Phase phase, Duration at, Choice choice,
				List<Part> parts) {

		}

		record Partly(Map<String, String> known) {

		}

		record Choice(Object onee) {

		}

		record Part(String name, long weigth) {

		}

		record Status(List<Condition> conditions) {

		}

		record Condition(Map<String, String> type) {

		}

	}

}
