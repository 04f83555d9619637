package dev.reflector.client.internal.proto;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;

import dev.reflector.ResourceType;
import dev.reflector.client.fixture.ProtoBytes;
import dev.reflector.client.fixture.ProtoBytes.Written;
import dev.reflector.client.internal.bind.Shape;
import dev.reflector.client.internal.frame.MalformedResponseException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

/**
 * Compares objects that Kubernetes' own encoders have written in protobuf with the JSON
 * that these have written of the same objects.
 */
class KubernetesObjectsTests {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final int LIMIT = 1024 * 1024;

	private static List<Written> objects() {
		return ProtoBytes.ofKubernetes()
			.stream()
			.filter((written) -> written.name().contains("/") || written.name().startsWith("v1 "))
			.toList();
	}

	private static String message(ResourceType type) {
		return Objects.requireNonNull(MessageTable.get().of(type), type.toString());
	}

	private static Plan plan(Written written) {
		String[] name = written.name().split(" ");
		return new Planner(MessageTable.get()).plan(message(ResourceType.of(name[0], name[1], null)), Shape.ALL, null);
	}

	private static ProtobufToJson translated(Plan plan, byte[] object) {
		ProtobufToJson json = new ProtobufToJson(100, LIMIT);
		json.over(object, 0, object.length, false);
		Envelope envelope = new Envelope(json.wire());
		envelope.openObject(0, object.length);
		json.text().put('{');
		envelope.writeType(json.text());
		json.members(plan, envelope.from(), envelope.to(), false);
		return json;
	}

	private static JsonNode tree(ProtobufToJson json) {
		return MAPPER.readTree(json.text().bytes(), 0, json.text().length());
	}

	@Test
	void everyTypeOfTheTableIsThere() {
		assertThat(objects().stream()
			.map((written) -> written.name().replaceFirst(" [^ ]*$", ""))
			.collect(Collectors.toSet())).containsAll(MessageTable.get().types());
	}

	@ParameterizedTest
	@MethodSource("objects")
	void everyObjectIsTheJsonOfTheServer(Written written) {
		ProtobufToJson json = translated(plan(written), written.protobuf());
		assertThat(json.fault()).isNull();
		assertThat(tree(json)).isEqualTo(MAPPER.readTree(written.json()));
	}

}
