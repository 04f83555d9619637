package dev.reflector.write;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonFilter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIgnoreType;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonView;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests of records with annotations, mix-ins and settings of Jackson: what is declared is
 * sent, or refused when the writer is built.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeclaredJsonTests {

	private static final AppliedMeta NAMED = AppliedMeta.named("default", "a");

	private static final String KEPT_OUT = " would not be sent, because an annotation, a mix-in or a filter keeps it "
			+ "out of the JSON. Remove that, or the component";

	private static final String SERIALIZER = " would be sent without its serializer, because it has no deserializer. "
			+ "Declare the type that is sent";

	private static final String INCLUSION = " has a @JsonInclude that would have no effect. Remove it";

	private static final String SHAPE = " has a @JsonFormat whose shape would have no effect. Declare the type";

	private static final String ADDED = " would not be sent, because it is no component of the record. Declare it";

	private WriterStage stage;

	@BeforeAll
	void open() {
		this.stage = new WriterStage();
	}

	@AfterAll
	void close() {
		this.stage.close();
	}

	static Stream<Arguments> refused() {
		return Stream.of(arguments(ReadOnly.class, "component 'spec.host'" + KEPT_OUT),
				arguments(WriteOnly.class, "component 'spec.host'" + KEPT_OUT),
				arguments(Ignored.class, "component 'spec'" + KEPT_OUT),
				arguments(IgnoredByName.class, "component 'spec.host'" + KEPT_OUT),
				arguments(IgnoredAtComponent.class, "component 'spec.host'" + KEPT_OUT),
				arguments(IgnoredForWriting.class, "component 'spec.host'" + KEPT_OUT),
				arguments(IgnoredType.class, "component 'spec.inner'" + KEPT_OUT),
				arguments(Filtered.class, "component 'spec'" + KEPT_OUT),
				arguments(IgnoredInBean.class, "component 'spec.host'" + KEPT_OUT),
				arguments(OnlySerialized.class, "component 'spec.port'" + SERIALIZER),
				arguments(OnlyElementsSerialized.class, "component 'spec.ports'" + SERIALIZER),
				arguments(OnlyTypeSerialized.class, "component 'spec.inner'" + SERIALIZER),
				arguments(Raw.class, "component 'spec.host'" + SERIALIZER),
				arguments(NonEmpty.class, "component 'spec.aliases'" + INCLUSION),
				arguments(NonEmptyType.class, "component 'spec'" + INCLUSION),
				arguments(Always.class, "component 'spec.host'" + INCLUSION),
				arguments(NonEmptyContent.class, "component 'spec.options'" + INCLUSION),
				arguments(NumberAsText.class, "component 'spec.port'" + SHAPE),
				arguments(EnumAsNumber.class, "component 'spec.mode'" + SHAPE),
				arguments(Derived.class, "component 'spec.url'" + ADDED),
				arguments(Unwrapped.class, "component 'spec.inner'" + KEPT_OUT),
				arguments(OnlyAnyGetter.class, "component 'spec.more'"));
	}

	@ParameterizedTest
	@MethodSource("refused")
	void whatWouldNotBeSentAsDeclaredIsRefusedAtTheStart(Class<?> type, String message) {
		assertThatExceptionOfType(InvalidAppliedTypeException.class)
			.isThrownBy(() -> this.stage.writer((builder) -> builder.types(List.of(type))))
			.withMessageContaining(message);
	}

	@Test
	void aMixInCounts() {
		JsonMapper mapper = JsonMapper.builder().addMixIn(Plain.Spec.class, MixIn.class).build();
		assertThatExceptionOfType(InvalidAppliedTypeException.class)
			.isThrownBy(() -> this.stage.writer(mapper, (builder) -> builder.types(List.of(Plain.class))))
			.withMessageContaining("component 'spec.hostName'" + KEPT_OUT);
	}

	@Test
	void aSerializerOfAModuleCounts() {
		JsonMapper mapper = JsonMapper.builder()
			.addModule(new SimpleModule().addSerializer(Plain.Spec.class, ToStringSerializer.instance))
			.build();
		assertThatExceptionOfType(InvalidAppliedTypeException.class)
			.isThrownBy(() -> this.stage.writer(mapper, (builder) -> builder.types(List.of(Plain.class))))
			.withMessageContaining("component 'spec'" + SERIALIZER);
	}

	@Test
	void settingsForTheJsonOfTheApplicationDoNotMatter() {
		JsonMapper mapper = JsonMapper.builder()
			.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
			.changeDefaultPropertyInclusion((value) -> JsonInclude.Value.construct(JsonInclude.Include.NON_EMPTY,
					JsonInclude.Include.NON_EMPTY))
			.build();
		assertThat(sent(this.stage.writer(mapper, (builder) -> builder),
				new Plain(NAMED, new Plain.Spec("h", List.of(), Map.of("a", "")))))
			.isEqualTo("""
					{"hostName":"h","ports":[],"texts":{"a":""}}""");
	}

	@Test
	void whatIsDeclaredIsSent() {
		assertThat(sent(this.stage.writer,
				new Declared(NAMED,
						new Declared.Spec("h", null, 80, new Port(8080), "v",
								Declared.Box.of(new Declared.More(1, null)), Map.of("x", "y")))))
			.isEqualTo("""
					{"box":{"size":1},"host-name":"h","number":"8080","port":80,"viewed":"v","x":"y"}""");
		assertThat(sent(this.stage.writer, new Named(NAMED, new Named.Spec("h")))).isEqualTo("""
				{"host_name":"h"}""");
	}

	private String sent(ResourceWriter writer, Object applied) {
		this.stage.server.clearRequests();
		try {
			writer.apply(applied, ApplyOptions.defaults().withForce());
		}
		catch (WriteException ex) {
			// the answer of the server does not matter
		}
		String body = this.stage.writes().get(0).body();
		return body.substring(body.indexOf("\"spec\":") + 7, body.length() - 1);
	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", manager = "plain")
	record Plain(AppliedMeta metadata, Spec spec) {

		record Spec(String hostName, List<Integer> ports, Map<String, String> texts) {
		}

	}

	interface MixIn {

		@JsonProperty(value = "host", access = JsonProperty.Access.READ_ONLY)
		String hostName();

	}

	record Port(Integer number) {
	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", manager = "declared")
	record Declared(AppliedMeta metadata, Spec spec) {

		record Spec(@JsonProperty("host-name") String host, @JsonInclude(JsonInclude.Include.NON_NULL) String nothing,
				Integer port,
				@JsonSerialize(using = PortWriter.class) @JsonDeserialize(using = PortReader.class) Port number,
				@JsonView(Port.class) String viewed, Box box, @JsonAnySetter @JsonAnyGetter Map<String, String> rest) {
		}

		static class Box {

			@JsonUnwrapped
			public More more;

			static Box of(More more) {
				Box box = new Box();
				box.more = more;
				return box;
			}

		}

		record More(Integer size, String unset) {
		}

	}

	static class PortWriter extends ValueSerializer<Port> {

		@Override
		public void serialize(Port port, JsonGenerator out, SerializationContext context) {
			out.writeString(String.valueOf(port.number()));
		}

	}

	static class PortReader extends ValueDeserializer<Port> {

		@Override
		public Port deserialize(JsonParser in, DeserializationContext context) {
			return new Port(Integer.valueOf(in.getString()));
		}

	}

	@AppliedResource(apiVersion = "example.com/v1", kind = "Website", manager = "named")
	record Named(AppliedMeta metadata, Spec spec) {

		@JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
		record Spec(String hostName) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record ReadOnly(AppliedMeta metadata, Spec spec) {

		record Spec(@JsonProperty(access = JsonProperty.Access.READ_ONLY) String host) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record WriteOnly(AppliedMeta metadata, List<Spec> spec) {

		record Spec(@JsonProperty(access = JsonProperty.Access.WRITE_ONLY) String host) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record Ignored(AppliedMeta metadata, @JsonIgnore String spec) {

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record IgnoredByName(AppliedMeta metadata, Spec spec) {

		@JsonIgnoreProperties("host")
		record Spec(String host, String other) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record IgnoredAtComponent(AppliedMeta metadata, @JsonIgnoreProperties("host") Spec spec) {

		record Spec(String host, String other) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record IgnoredForWriting(AppliedMeta metadata, Spec spec) {

		@JsonIgnoreProperties(value = "host", allowSetters = true)
		record Spec(String host, String other) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record IgnoredType(AppliedMeta metadata, Spec spec) {

		record Spec(Inner inner, String other) {
		}

		@JsonIgnoreType
		record Inner(String host) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record Filtered(AppliedMeta metadata, Spec spec) {

		@JsonFilter("some")
		record Spec(String host) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record IgnoredInBean(AppliedMeta metadata, Spec spec) {

		static class Spec {

			public String other;

			@JsonIgnore
			public String host;

		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record OnlySerialized(AppliedMeta metadata, Spec spec) {

		record Spec(@JsonSerialize(using = ToStringSerializer.class) Integer port) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record OnlyElementsSerialized(AppliedMeta metadata, Spec spec) {

		record Spec(@JsonSerialize(contentUsing = ToStringSerializer.class) List<Integer> ports) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record OnlyTypeSerialized(AppliedMeta metadata, Spec spec) {

		record Spec(Inner inner) {
		}

		@JsonSerialize(using = ToStringSerializer.class)
		record Inner(String host) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record Raw(AppliedMeta metadata, Spec spec) {

		record Spec(@JsonRawValue String host) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record NonEmpty(AppliedMeta metadata, Spec spec) {

		record Spec(@JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> aliases) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record NonEmptyType(AppliedMeta metadata, Spec spec) {

		@JsonInclude(JsonInclude.Include.NON_DEFAULT)
		record Spec(List<String> aliases) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record Always(AppliedMeta metadata, Spec spec) {

		record Spec(@JsonInclude String host) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record NonEmptyContent(AppliedMeta metadata, Spec spec) {

		record Spec(@JsonInclude(value = JsonInclude.Include.NON_NULL,
				content = JsonInclude.Include.NON_EMPTY) Map<String, String> options) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record NumberAsText(AppliedMeta metadata, Spec spec) {

		record Spec(@JsonFormat(shape = JsonFormat.Shape.STRING) Integer port) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record EnumAsNumber(AppliedMeta metadata, Spec spec) {

		record Spec(@JsonFormat(shape = JsonFormat.Shape.NUMBER) Thread.State mode) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record Derived(AppliedMeta metadata, Spec spec) {

		record Spec(String host) {

			@JsonProperty
			String url() {
				return "https://" + this.host;
			}

		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record Unwrapped(AppliedMeta metadata, Spec spec) {

		record Spec(String host, @JsonUnwrapped Inner inner) {
		}

		record Inner(String name) {
		}

	}

	@AppliedResource(apiVersion = "example.com/v1")
	record OnlyAnyGetter(AppliedMeta metadata, Spec spec) {

		record Spec(String host, @JsonAnyGetter Map<String, String> more) {
		}

	}

}
