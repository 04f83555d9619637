package dev.reflector.client.internal.schema;

import java.io.ByteArrayInputStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.reflector.ObjectMeta;
import dev.reflector.client.internal.bind.DeclaredValue;
import dev.reflector.client.internal.bind.ServerObjectModule;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class SchemaComparisonTests {

	private static final JsonMapper MAPPER = ServerObjectModule.mapper(JsonMapper.builder().build());

	private static final String META = "{'$ref': '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'}";

	@Test
	void aMisspeltComponentIsFoundWithTheNameThatIsMeant() {
		assertThat(compare(Misspelt.class,
				"{'spec': {'type': 'object', 'properties': {'replicas': {'type': 'integer'}}}}"))
			.containsExactly("'spec.replicsa' is not in the schema (did you mean 'replicas'?)");
	}

	@Test
	void aComponentLikeNothingElseIsFoundWithoutAGuess() {
		assertThat(compare(Misspelt.class, "{'spec': {'type': 'object', 'properties': {'size': {'type': 'integer'}}}}"))
			.containsExactly("'spec.replicsa' is not in the schema");
	}

	@Test
	void aComponentAtTheTopIsFound() {
		assertThat(compare(Misspelt.class, "{'specs': {'type': 'object'}, 'status': {'type': 'object'}}"))
			.containsExactly("'spec' is not in the schema (did you mean 'specs'?)");
	}

	/** The server adds these to every object. */
	@Test
	void whatAllObjectsHaveIsNotCompared() {
		assertThat(compare(Misspelt.class, "{'spec': {'type': 'object'}}", "")).isEmpty();
		assertThat(compare(Common.class, "{'spec': {'type': 'object'}}", "")).isEmpty();
	}

	@Test
	void metadataOfOnesOwnIsCompared() {
		assertThat(compare(Common.class, "{'spec': {'type': 'object'}}")).containsExactly(
				"'metadata.nmae' is not in the schema (did you mean 'name'?)",
				"'metadata.creationTimestamp' is a string with the format 'date-time' in the schema, which cannot be read into long");
		assertThat(compare(WithBeanMetadata.class, "{'spec': {'type': 'object'}}"))
			.containsExactly("'metadata.uuid' is not in the schema (did you mean 'uid'?)");
	}

	/** Each component has the Java type that is named like it. */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			number  | {'type': 'string'}                                       | a string, int
			number  | {'type': 'boolean'}                                      | a boolean, int
			number  | {'type': 'array', 'items': {'type': 'integer'}}          | an array, int
			number  | {'type': 'object', 'properties': {'a': {}}}              | an object, int
			number  | {'type': 'object', 'x-kubernetes-preserve-unknown-fields': true} | an object, int
			decimal | {'type': 'string'}                                       | a string, BigDecimal
			flag    | {'type': 'string'}                                       | a string, boolean
			text    | {'type': 'object'}                                       | an object, String
			text    | {'type': 'array', 'items': {'type': 'string'}}           | an array, String
			list    | {'type': 'object', 'properties': {'a': {}}}              | an object, List
			list    | {'type': 'string'}                                       | a string, List
			list    | {'type': 'string', 'pattern': '^x'}                      | a string, List
			array   | {'type': 'object'}                                       | an object, Part[]
			map     | {'type': 'array', 'items': {}}                           | an array, Map
			map     | {'type': 'integer'}                                      | an integer, Map
			part    | {'type': 'array', 'items': {'type': 'object'}}           | an array, Part
			part    | {'type': 'string'}                                       | a string, Part
			perhaps | {'type': 'string'}                                       | a string, Optional
			time    | {'type': 'object'}                                       | an object, Instant
			time    | {'type': 'boolean'}                                      | a boolean, Instant
			time    | {'type': 'array', 'items': {'type': 'integer'}}          | an array, Instant
			pause   | {'type': 'object'}                                       | an object, Duration
			phase   | {'type': 'object'}                                       | an object, Phase
			phase   | {'type': 'boolean'}                                      | a boolean, Phase
			""")
	void aTypeThatCannotBeReadIsFound(String component, String schema, String found) {
		String[] parts = found.split(", ");
		assertThat(compareComponent(component, schema)).containsExactly(
				"'" + component + "' is " + parts[0] + " in the schema, which cannot be read into " + parts[1]);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					number  | {'type': 'string', 'format': 'date-time'} | is a string with the format 'date-time'  | int
					pause   | {'type': 'string', 'format': 'date-time'} | is a string with the format 'date-time'  | Duration
					phase   | {'type': 'string', 'format': 'date-time'} | is a string with the format 'date-time'  | Phase
					time    | {'type': 'string', 'format': 'duration'}  | is a string with the format 'duration'   | Instant
					time    | {'type': 'string', 'format': 'date'}      | is a string with the format 'date'       | Instant
					day     | {'type': 'string', 'format': 'duration'}  | is a string with the format 'duration'   | LocalDate
					id      | {'type': 'string', 'format': 'date-time'} | is a string with the format 'date-time'  | UUID
					phase   | {'type': 'string', 'enum': ['UP', 'LATER', 'NEVER', null]} | may be 'LATER', 'NEVER' | Phase
					named   | {'type': 'string', 'enum': ['Up', 'UP']}  | may be 'UP'                              | NamedPhase
					made    | {'type': 'string', 'enum': ['up', 'x']}   | may be 'x'                               | MadePhase
					number  | {'type': 'string', 'enum': ['1', 'many']} | may be 'many'                            | int
					phase   | {'type': 'string', 'enum': ['1a', '2', '3', '4', '5', '6', '7']} | may be '1a', '2', '3', '4', '5' and 2 more | Phase
					phase   | {'type': 'string', 'enum': ['UP', 'LATER', 'X'], 'allOf': [{'enum': ['UP', 'X']}]} | may be 'X' | Phase
					""")
	void stringsThatCannotBeReadAreFound(String component, String schema, String found, String type) {
		assertThat(compareComponent(component, schema))
			.containsExactly("'" + component + "' " + found + " in the schema, which cannot be read into " + type);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			number  | {'type': 'integer', 'format': 'int64'}
			number  | {'type': 'number'}
			number  | {'type': 'string', 'pattern': '^[0-9]+$'}
			number  | {'type': 'string', 'enum': ['1', '2']}
			number  | {'type': 'string', 'format': 'int-or-string'}
			number  | {'x-kubernetes-int-or-string': true}
			number  | {'anyOf': [{'type': 'integer'}, {'type': 'string'}], 'x-kubernetes-int-or-string': true}
			number  | {'oneOf': [{'type': 'integer'}, {'type': 'string'}]}
			number  | {'$ref': '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity'}
			number  | {'$ref': '#/components/schemas/not.there'}
			number  | {}
			number  | true
			number  | {'type': ['integer', 'null']}
			decimal | {'$ref': '#/components/schemas/io.k8s.apimachinery.pkg.api.resource.Quantity'}
			text    | {'type': 'integer'}
			text    | {'type': 'string', 'format': 'byte'}
			text    | {'$ref': '#/components/schemas/io.k8s.apimachinery.pkg.util.intstr.IntOrString'}
			flag    | {'type': 'boolean'}
			time    | {'type': 'string', 'format': 'date-time'}
			time    | {'type': 'string'}
			time    | {'type': 'integer'}
			time    | {'type': 'number'}
			time    | {'type': 'string', 'format': 'unknown'}
			time    | {'type': 'string', 'pattern': '^2'}
			zoned   | {'type': 'string', 'format': 'date-time'}
			millis  | {'type': 'string', 'format': 'date-time'}
			local   | {'type': 'string', 'format': 'date-time'}
			date    | {'type': 'string', 'format': 'date-time'}
			day     | {'type': 'string', 'format': 'date-time'}
			day     | {'type': 'string', 'format': 'date'}
			day     | {'type': 'array', 'items': {'type': 'integer'}}
			id      | {'type': 'string', 'format': 'uuid'}
			pause   | {'type': 'string'}
			pause   | {'type': 'string', 'format': 'duration'}
			pause   | {'type': 'integer'}
			phase   | {'type': 'string'}
			phase   | {'type': 'string', 'enum': ['UP', 'DOWN']}
			phase   | {'type': 'string', 'enum': ['UP', 'LATER'], 'allOf': [{'enum': ['UP']}]}
			phase   | {'type': 'string', 'enum': ['UP', 'LATER', 1]}
			phase   | {'type': 'string', 'format': 'date-time', 'x-kubernetes-int-or-string': true}
			named   | {'type': 'string', 'enum': ['Up', 'Down']}
			made    | {'type': 'string', 'enum': ['up', 'DOWN']}
			made    | {'type': 'object'}
			number  | {'type': 'string', 'anyOf': [{'pattern': '^[0-9]+$'}, {'pattern': '^0x'}]}
			text    | {'type': 'string', 'enum': ['UP', 'DOWN']}
			text    | {'type': 'string', 'format': 'date-time'}
			bytes   | {'type': 'string'}
			tree    | {'type': 'string'}
			tree    | {'type': 'object', 'properties': {'a': {}}}
			any     | {'type': 'array', 'items': {}}
			any     | {'type': 'string'}
			free    | {'type': 'object', 'properties': {'a': {'type': 'string'}}}
			list    | {'type': 'array', 'items': {'type': 'string'}}
			list    | {'type': 'array'}
			map     | {'type': 'object', 'additionalProperties': {'type': 'string'}}
			map     | {'type': 'object', 'properties': {'a': {'type': 'object'}}}
			map     | {'type': 'object', 'additionalProperties': true}
			part    | {'type': 'object'}
			part    | {'type': 'object', 'additionalProperties': {'type': 'string'}}
			part    | {'type': 'object', 'properties': {'a': {}}, 'x-kubernetes-preserve-unknown-fields': true}
			part    | {'type': 'object', 'properties': {'a': {}}, 'additionalProperties': {'type': 'string'}}
			part    | {'type': 'object', 'properties': {'a': {}}, 'x-kubernetes-embedded-resource': true}
			meta    | {'type': 'object', 'properties': {'a': {}}}
			collected | {'type': 'object', 'properties': {'a': {}}}
			unwrapped | {'type': 'object', 'properties': {'name': {'type': 'string'}}}
			delegated | {'type': 'string'}
			choice  | {'type': 'object', 'properties': {'a': {}}}
			""")
	void whatMayFitIsNotReported(String component, String schema) {
		assertThat(compareComponent(component, schema)).isEmpty();
	}

	@Test
	void elementsAndValuesAreComparedToo() {
		String object = "{'type': 'object', 'properties': {'name': {'type': 'string'}, 'size': {'type': 'string'}}}";
		assertThat(compare(Nested.class, """
				{'list': {'type': 'array', 'items': %1$s}, 'map': {'type': 'object', 'additionalProperties': %1$s},
				 'numbers': {'type': 'array', 'items': {'type': 'string'}}}""".formatted(object))).containsExactly(
				"'list[].size' is a string in the schema, which cannot be read into int",
				"'map.*.size' is a string in the schema, which cannot be read into int",
				"'numbers[]' is a string in the schema, which cannot be read into an element of List");
	}

	@Test
	void namesAreThoseThatJacksonReads() {
		assertThat(compare(Named.class, """
				{'node_name': {'type': 'string'}, 'clusterIP': {'type': 'string'}, 'old': {'type': 'integer'}}"""))
			.containsExactly("'host_name' is not in the schema (did you mean 'node_name'?)");
	}

	@Test
	void beansHaveTheNamesOfTheirSetters() {
		assertThat(compare(Bean.class, "{'size': {'type': 'string'}}")).containsExactly("'colour' is not in the schema",
				"'size' is a string in the schema, which cannot be read into int");
	}

	@Test
	void partsOfASchemaAddUp() {
		assertThat(compareComponent("part",
				"{'allOf': [{'$ref': '#/components/schemas/example.Part'}], 'default': {'name': 1}, 'description': 'x'}"))
			.containsExactly("'part.size' is a string in the schema, which cannot be read into int");
		assertThat(compareComponent("part", """
				{'allOf': [{'type': 'object', 'properties': {'name': {'type': 'string'}}},
				           {'properties': {'sizes': {'type': 'integer'}}}]}"""))
			.containsExactly("'part.size' is not in the schema (did you mean 'sizes'?)");
	}

	@Test
	void schemasAndTypesMayContainThemselves() {
		assertThat(compare(Tree.class, "{'child': {'$ref': '#/components/schemas/example.Tree'}}")).containsExactly(
				"'label' is not in the schema", "'child.label' is not in the schema (did you mean 'labels'?)",
				"'child.child.label' is not in the schema (did you mean 'labels'?)");
		assertThat(compareComponent("part", "{'$ref': '#/components/schemas/example.Loop'}")).isEmpty();
	}

	@Test
	void whatTheApplicationAllowsIsNotReported() {
		JsonMapper lenient = ServerObjectModule
			.mapper(JsonMapper.builder().enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY).build());
		assertThat(compare(lenient, Nested.class, "{'numbers': {'type': 'integer'}}",
				"'x-kubernetes-preserve-unknown-fields': true"))
			.isEmpty();
		assertThat(compare(MAPPER, Nested.class, "{'numbers': {'type': 'integer'}}",
				"'x-kubernetes-preserve-unknown-fields': true"))
			.containsExactly("'numbers' is an integer in the schema, which cannot be read into List");
	}

	@Test
	void aConstantOfTheApplicationMayStandForOthers() {
		String schema = "{'other': {'type': 'string', 'enum': ['UP', 'LATER']}}";
		String open = "'x-kubernetes-preserve-unknown-fields': true";
		JsonMapper lenient = ServerObjectModule
			.mapper(JsonMapper.builder().enable(EnumFeature.READ_UNKNOWN_ENUM_VALUES_USING_DEFAULT_VALUE).build());
		assertThat(compare(lenient, Components.class, schema, open)).isEmpty();
		assertThat(compare(MAPPER, Components.class, schema, open))
			.containsExactly("'other' may be 'LATER' in the schema, which cannot be read into OtherPhase");
	}

	@Test
	void whatPropertiesGoTogetherIsNoAlternative() {
		assertThat(compareComponent("part", """
				{'type': 'object', 'properties': {'name': {'type': 'string'}}, 'oneOf': [{'required': ['name']}]}"""))
			.containsExactly("'part.size' is not in the schema");
	}

	@Test
	void aTypeThatCannotBeReadAtAllIsReportedElsewhere() {
		assertThat(compare(Runnable.class, "{'size': {'type': 'string'}}")).isEmpty();
	}

	@Test
	void aKindWithoutSchemaFitsEverything() {
		ServerSchemas schemas = read("{'components': {'schemas': {}}}", Set.of("Widget"));
		assertThat(SchemaComparison.compare(declared(MAPPER, Misspelt.class), schemas, "Widget")).isEmpty();
	}

	/**
	 * Other groups may have the same kind, and one schema may describe several versions.
	 */
	@Test
	void theSchemaIsThatOfTheApiVersion() {
		ServerSchemas schemas = read("""
				{'components': {'schemas': {
				 'a': {'properties': {'spec': {'type': 'string'}},
				       'x-kubernetes-group-version-kind': [{'group': 'other.com', 'version': 'v1', 'kind': 'Widget'}]},
				 'b': {'properties': {'spec': {'type': 'object'}},
				       'x-kubernetes-group-version-kind': [{'group': 'example.com', 'kind': 'Widget', 'version': 'v2'},
				                                           {'group': 'example.com', 'kind': 'Widget', 'version': 'v1'}]}
				}}}""", Set.of("Widget"));
		assertThat(SchemaComparison.compare(declared(MAPPER, Misspelt.class), schemas, "Widget")).isEmpty();
		assertThat(schemas.of("Widget")).isNotNull();
	}

	@Test
	void schemasOfOtherKindsAreNotKept() {
		ServerSchemas schemas = read("""
				{'components': {'schemas': {'a': {'x-kubernetes-group-version-kind':
				 [{'group': 'example.com', 'version': 'v1', 'kind': 'Gadget'}]}}}}""", Set.of("Widget"));
		assertThat(schemas.of("Gadget")).isNull();
		assertThat(schemas.resolve(reference("a"))).isSameAs(Schema.UNKNOWN);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "no JSON", "{'components': {'schemas': {'a': ", "[1, 2" })
	void aDocumentThatIsCutOffOrNoJsonIsMalformed(String document) {
		if (document.isEmpty()) {
			assertThat(read(document, Set.of("Widget")).of("Widget")).isNull();
			return;
		}
		assertThatExceptionOfType(MalformedResponseException.class).isThrownBy(() -> read(document, Set.of("Widget")));
	}

	@Test
	void depthAndNumberAreLimited() {
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> read(
					"{'components': {'schemas': {'a': " + "{'items': ".repeat(300) + "{}" + "}".repeat(303), Set.of()))
			.withMessageContaining("nested too deeply");
		assertThatExceptionOfType(MalformedResponseException.class)
			.isThrownBy(() -> read("{'components': {'schemas': {'a': {'allOf': [" + "{},".repeat(200_001) + "{}]}}}}",
					Set.of()))
			.withMessageContaining("200000 schemas");
	}

	@Test
	void noMoreThanTwentyLinesAreMade() {
		assertThat(compare(Many.class, "{'list': {'type': 'object', 'additionalProperties': {'type': 'object', "
				+ "'properties': {'x': {}}}}}"))
			.hasSize(20);
	}

	private static Schema reference(String name) {
		return new Schema("", name, Map.of(), null, null, List.of(), Schema.Texts.ALL, false, false);
	}

	private static List<String> compareComponent(String component, String schema) {
		return compare(MAPPER, Components.class, "{'" + component + "': " + schema + "}",
				"'x-kubernetes-preserve-unknown-fields': true");
	}

	private static List<String> compare(Class<?> type, String properties) {
		return compare(type, properties, "'metadata': " + META + ", ");
	}

	private static List<String> compare(Class<?> type, String properties, String metadata) {
		return compare(MAPPER, type, properties, "'description': 'closed'", metadata);
	}

	private static List<String> compare(JsonMapper mapper, Class<?> type, String properties, String more) {
		return compare(mapper, type, properties, more, "'metadata': " + META + ", ");
	}

	private static List<String> compare(JsonMapper mapper, Class<?> type, String properties, String more,
			String metadata) {
		String document = """
				{'openapi': '3.0.0', 'paths': {'/apis/x': {'get': {'properties': {'type': 'string'}}}},
				 'components': {'schemas': {
				  'example.Part': {'type': 'object', 'properties': {'name': {'type': 'string'}, 'size': {'type': 'string'}}},
				  'example.Tree': {'type': 'object', 'properties': {'labels': {'type': 'string'},
				                   'child': {'$ref': '#/components/schemas/example.Tree'}}},
				  'example.Loop': {'$ref': '#/components/schemas/example.Loop'},
				  'io.k8s.apimachinery.pkg.api.resource.Quantity': {'type': 'string'},
				  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': {'type': 'object'},
				  'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta': {'type': 'object', 'properties': {
				   'name': {'type': 'string'}, 'uid': {'type': 'string'},
				   'creationTimestamp': {'allOf': [{'$ref': '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.Time'}]}}},
				  'io.k8s.apimachinery.pkg.apis.meta.v1.Time': {'type': 'string', 'format': 'date-time'},
				  'com.example.v1.Widget': {%s, 'type': 'object',
				   'properties': %s,
				   'x-kubernetes-group-version-kind': [{'group': 'example.com', 'kind': 'Widget', 'version': 'v1'}]}
				 }, 'securitySchemes': {'schemas': {'a': 1}}}}"""
			.formatted(more, "{" + metadata + properties.substring(1));
		return SchemaComparison.compare(declared(mapper, type), read(document, Set.of("Widget")), "Widget");
	}

	private static DeclaredValue declared(JsonMapper mapper, Class<?> type) {
		return DeclaredValue.of(mapper.readerFor(type), type);
	}

	private static ServerSchemas read(String document, Set<String> kinds) {
		return SchemaReader.read(new ByteArrayInputStream(document.replace('\'', '"').getBytes(UTF_8)),
				"example.com/v1", kinds);
	}

	record Misspelt(ObjectMeta metadata, Spec spec) {

		record Spec(Integer replicsa) {

		}

	}

	record Common(String apiVersion, String kind, OwnMeta metadata) {

		record OwnMeta(String nmae, long creationTimestamp) {

		}

	}

	enum Phase {

		UP, DOWN

	}

	enum NamedPhase {

		@JsonProperty("Up")
		UP, @JsonProperty("Down")
		DOWN

	}

	enum OtherPhase {

		UP, @JsonEnumDefaultValue
		OTHER

	}

	enum MadePhase {

		UP, DOWN;

		@JsonCreator
		static MadePhase of(String text) {
			return valueOf(text.toUpperCase(Locale.ROOT));
		}

	}

	record WithBeanMetadata(BeanMetadata metadata) {

	}

	static final class BeanMetadata {

		private String name = "";

		private String uuid = "";

		public String getName() {
			return this.name;
		}

		public void setName(String name) {
			this.name = name;
		}

		public String getUuid() {
			return this.uuid;
		}

		public void setUuid(String uuid) {
			this.uuid = uuid;
		}

	}

	record Part(String name, int size) {

	}

	record Collected(@JsonAnySetter Map<String, Object> all) {

	}

	record Unwrapped(@JsonUnwrapped Part part) {

	}

	record Delegated(String text) {

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		static Delegated of(String text) {
			return new Delegated(text);
		}

	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
	@JsonSubTypes(@JsonSubTypes.Type(value = One.class, name = "one"))
	sealed interface Choice {

	}

	record One(String nothing) implements Choice {

	}

	record Components(int number, BigDecimal decimal, boolean flag, String text, List<String> list, Part[] array,
			Map<String, String> map, Part part, Optional<Part> perhaps, Instant time, Duration pause, Phase phase,
			NamedPhase named, OtherPhase other, MadePhase made, OffsetDateTime zoned,
			@JsonFormat(pattern = "yyyy-MM-dd'T'HH:mm:ss.SSSX") OffsetDateTime millis, LocalDateTime local, Date date,
			LocalDate day, UUID id, byte[] bytes, JsonNode tree, Object any, Map<String, Object> free, ObjectMeta meta,
			Collected collected, Unwrapped unwrapped, Delegated delegated, Choice choice) {

	}

	record Nested(List<Part> list, Map<String, Part> map, List<Integer> numbers) {

	}

	@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
	record Named(String nodeName, @JsonProperty("clusterIP") String address, @JsonAlias( {
			"older", "old" }) int current, String hostName, @JsonIgnore String ignored){

		@JsonIgnore
		List<String> derived() {
			return List.of();
		}

	}

	record Tree(String label, Tree child) {

	}

	record Many(Map<String, Wide> list) {

		record Wide(int a1, int a2, int a3, int a4, int a5, int a6, int a7, int a8, int a9, int b1, int b2, int b3,
				int b4, int b5, int b6, int b7, int b8, int b9, int c1, int c2, int c3, int c4) {

		}

	}

	static final class Bean {

		private int size;

		private String colour = "";

		public int getSize() {
			return this.size;
		}

		public void setSize(int size) {
			this.size = size;
		}

		public String getColour() {
			return this.colour;
		}

		public void setColour(String colour) {
			this.colour = colour;
		}

		public List<String> getDerived() {
			return List.of();
		}

	}

}
