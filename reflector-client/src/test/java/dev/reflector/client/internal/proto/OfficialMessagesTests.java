package dev.reflector.client.internal.proto;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.WireFormat;
import dev.reflector.ResourceType;
import dev.reflector.client.internal.bind.Shape;
import dev.reflector.fixture.LongForm;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apiextensions;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Discovery;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Flowcontrol;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Node;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Resource;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import io.kubernetes.client.proto.V2Autoscaling;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compares objects that Google's library has written, by the descriptors of the official
 * client, with JSON that this library generates from the same messages. Every field is
 * set, and there are unknown fields before, between and after the others.
 */
class OfficialMessagesTests {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

	private static final int LIMIT = 64 * 1024 * 1024;

	private static final List<FileDescriptor> FILES = List.of(V1.getDescriptor(),
			V1Admissionregistration.getDescriptor(), V1Apiextensions.getDescriptor(), V1Apps.getDescriptor(),
			V1Autoscaling.getDescriptor(), V1Batch.getDescriptor(), V1Certificates.getDescriptor(),
			V1Coordination.getDescriptor(), V1Discovery.getDescriptor(), V1Events.getDescriptor(),
			V1Flowcontrol.getDescriptor(), V1Networking.getDescriptor(), V1Node.getDescriptor(),
			V1Policy.getDescriptor(), V1Rbac.getDescriptor(), V1Resource.getDescriptor(), V1Scheduling.getDescriptor(),
			V1Storage.getDescriptor(), V2Autoscaling.getDescriptor(), Meta.getDescriptor());

	/** Messages whose fields are, in JSON, fields of the message around them. */
	private static final Set<String> INLINE = Set.of("Volume.volumeSource", "Probe.handler",
			"EphemeralContainer.ephemeralContainerCommon", "PersistentVolumeSpec.persistentVolumeSource",
			"ConfigMapEnvSource.localObjectReference", "ConfigMapKeySelector.localObjectReference",
			"ConfigMapProjection.localObjectReference", "ConfigMapVolumeSource.localObjectReference",
			"SecretEnvSource.localObjectReference", "SecretKeySelector.localObjectReference",
			"SecretProjection.localObjectReference", "IngressRule.ingressRuleValue",
			"NamedRuleWithOperations.ruleWithOperations", "RuleWithOperations.rule",
			"DeviceAllocationConfiguration.deviceConfiguration", "DeviceClaimConfiguration.deviceConfiguration",
			"DeviceClassConfiguration.deviceConfiguration");

	/** Names that differ from those in JSON. */
	private static final Map<String, String> RENAMED = Map.ofEntries(Map.entry("JSONSchemaProps.ref", "$ref"),
			Map.entry("JSONSchemaProps.schema", "$schema"),
			Map.entry("JSONSchemaProps.xKubernetesPreserveUnknownFields", "x-kubernetes-preserve-unknown-fields"),
			Map.entry("JSONSchemaProps.xKubernetesEmbeddedResource", "x-kubernetes-embedded-resource"),
			Map.entry("JSONSchemaProps.xKubernetesIntOrString", "x-kubernetes-int-or-string"),
			Map.entry("JSONSchemaProps.xKubernetesListMapKeys", "x-kubernetes-list-map-keys"),
			Map.entry("JSONSchemaProps.xKubernetesListType", "x-kubernetes-list-type"),
			Map.entry("JSONSchemaProps.xKubernetesMapType", "x-kubernetes-map-type"),
			Map.entry("JSONSchemaProps.xKubernetesValidations", "x-kubernetes-validations"),
			Map.entry("Variable.Name", "name"), Map.entry("Variable.Expression", "expression"),
			Map.entry("Validation.Expression", "expression"),
			Map.entry("MutatingWebhookConfiguration.Webhooks", "webhooks"),
			Map.entry("ValidatingWebhookConfiguration.Webhooks", "webhooks"),
			Map.entry("IngressClassParametersReference.aPIGroup", "apiGroup"));

	/** Fields that are newer than the version of the table: they are skipped. */
	private static final Set<String> LATER = Set
		.of("autoscaling.v2.HorizontalPodAutoscalerCondition.observedGeneration");

	private int count;

	static Stream<String> types() {
		return Stream.concat(MessageTable.get().types().stream().map((type) -> {
			String[] parts = type.split(" ");
			return Objects.requireNonNull(MessageTable.get().of(ResourceType.of(parts[0], parts[1], null)));
		}), Stream.of(MessageTable.PARTIAL, MessageTable.STATUS, MessageTable.LIST_META));
	}

	private static Descriptor descriptor(String name) {
		int dot = name.lastIndexOf('.');
		return FILES.stream()
			.filter((file) -> file.getPackage().endsWith("." + name.substring(0, dot)))
			.map((file) -> file.findMessageTypeByName(name.substring(dot + 1)))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow();
	}

	@ParameterizedTest
	@MethodSource("types")
	void everyFieldIsReadAsInJsonBetweenUnknownOnes(String type) throws IOException {
		for (int first = 0; first < LongForm.times(4, 1); first++) {
			this.count = first;
			Message message = filled(descriptor(type), 0);
			byte[] bytes = withUnknown(message.getDescriptorForType(), message.toByteArray());
			// the inserted bytes are valid protobuf
			assertThat(DynamicMessage.parseFrom(message.getDescriptorForType(), bytes).getUnknownFields().asMap())
				.hasSize(4);
			ProtobufToJson json = new ProtobufToJson(100, LIMIT);
			json.over(bytes, 0, bytes.length, false);
			json.text().put('{');
			json.members(new Planner(MessageTable.get()).plan(type, Shape.ALL, null), 0, bytes.length, true);
			assertThat(json.fault()).isNull();
			assertThat(MAPPER.readTree(json.text().bytes(), 0, json.text().length())).isEqualTo(object(message));
		}
	}

	@Test
	void allFieldsOfTheOfficialClientAreInTheTable() {
		Set<String> missing = new TreeSet<>();
		Set<String> seen = new TreeSet<>();
		types().forEach((type) -> compare(type, seen, missing));
		assertThat(seen).hasSizeGreaterThan(450);
		assertThat(missing).isEqualTo(LATER);
	}

	private static void compare(String type, Set<String> seen, Set<String> missing) {
		if (!seen.add(type)) {
			return;
		}
		dev.reflector.client.internal.proto.Message known = MessageTable.get().message(type);
		for (FieldDescriptor field : descriptor(type).getFields()) {
			if (known.fields().stream().noneMatch((one) -> one.number() == field.getNumber())) {
				missing.add(type + "." + field.getName());
			}
		}
		known.fields().forEach((field) -> {
			if (field.message() != null) {
				compare(field.message(), seen, missing);
			}
		});
	}

	private Message filled(Descriptor descriptor, int depth) {
		DynamicMessage.Builder builder = DynamicMessage.newBuilder(descriptor);
		for (FieldDescriptor field : descriptor.getFields()) {
			boolean endless = depth > 5 && field.getJavaType() == JavaType.MESSAGE
					&& descriptor.getName().equals("JSONSchemaProps");
			if (endless) {
				continue;
			}
			if (!field.isRepeated()) {
				builder.setField(field, value(descriptor, field, depth));
				continue;
			}
			for (int i = 0; i < 2; i++) {
				if (field.isMapField()) {
					builder.addRepeatedField(field, entry(field.getMessageType(), i, depth));
				}
				else {
					builder.addRepeatedField(field, value(descriptor, field, depth));
				}
			}
		}
		return builder.build();
	}

	private Message entry(Descriptor entry, int index, int depth) {
		return DynamicMessage.newBuilder(entry)
			.setField(entry.findFieldByNumber(1), "k/ä\"" + index)
			.setField(entry.findFieldByNumber(2), value(entry, entry.findFieldByNumber(2), depth))
			.build();
	}

	private Object value(Descriptor descriptor, FieldDescriptor field, int depth) {
		int next = this.count++;
		String owner = descriptor.getName();
		return switch (field.getJavaType()) {
			case STRING -> List.of("a", "Ünï\n😀\\", "", "x".repeat(300)).get(next % 4);
			case BOOLEAN -> next % 2 == 0;
			case INT -> owner.endsWith("Time") ? 999_999_999 - next
					: List.of(0, 80, -1, Integer.MAX_VALUE, Integer.MIN_VALUE).get(next % 5);
			case LONG -> owner.equals("IntOrString") ? (Object) (next % 2L)
					: owner.endsWith("Time")
							? List.of(80L, -1L, 4_000_000_000L, -62135596800L, 253402300799L).get(next % 5)
							: List.of(0L, 80L, -1L, Long.MAX_VALUE, Long.MIN_VALUE).get(next % 5);
			case DOUBLE -> List.of(0.0, 0.5, -1e21, 3e-7).get(next % 4);
			case BYTE_STRING ->
				isJson(owner) ? ByteString.copyFromUtf8(List.of("{\"a\":[1,\"}\"]}", "7", "\"t\"").get(next % 3))
						: ByteString.copyFrom(new byte[] { 0, (byte) 0xff, (byte) next }, 0, next % 4);
			case MESSAGE -> filled(field.getMessageType(), depth + 1);
			default -> throw new IllegalStateException(field.getFullName());
		};
	}

	private static boolean isJson(String message) {
		return Set.of("FieldsV1", "RawExtension", "JSON").contains(message);
	}

	/** Copies a message, with unknown fields around each of its fields. */
	private static byte[] withUnknown(Descriptor descriptor, byte[] message) throws IOException {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		CodedOutputStream out = CodedOutputStream.newInstance(bytes);
		CodedInputStream in = CodedInputStream.newInstance(message);
		unknown(out);
		for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
			FieldDescriptor field = descriptor.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
			out.writeUInt32NoTag(tag);
			switch (WireFormat.getTagWireType(tag)) {
				case WireFormat.WIRETYPE_VARINT -> out.writeUInt64NoTag(in.readUInt64());
				case WireFormat.WIRETYPE_FIXED64 -> out.writeFixed64NoTag(in.readFixed64());
				case WireFormat.WIRETYPE_LENGTH_DELIMITED -> {
					byte[] content = in.readByteArray();
					boolean nested = field.getJavaType() == JavaType.MESSAGE && (content.length > 0);
					out.writeByteArrayNoTag(nested ? withUnknown(field.getMessageType(), content) : content);
				}
				default -> throw new IllegalStateException("a wire type that Kubernetes does not use");
			}
			unknown(out);
		}
		out.flush();
		return bytes.toByteArray();
	}

	private static void unknown(CodedOutputStream out) throws IOException {
		out.writeUInt64(1000, -1);
		out.writeFixed64(1001, Long.MAX_VALUE);
		out.writeByteArray(19_000_000, new byte[] { 10, 1, 'x', (byte) 0xff });
		out.writeFixed32(536_870_911, 7);
	}

	private static JsonNode object(Message message) {
		ObjectNode object = NODES.objectNode();
		message.getAllFields().forEach((field, value) -> {
			String name = message.getDescriptorForType().getName() + "." + field.getName();
			if (INLINE.contains(name)) {
				object.setAll((ObjectNode) object((Message) value));
				return;
			}
			JsonNode json = json(field, value);
			if (!LATER.contains(field.getFullName().replace("k8s.io.api.", ""))
					&& !isLeftOut(message.getDescriptorForType(), field, json)) {
				object.set(RENAMED.getOrDefault(name, field.getName()), json);
			}
		});
		return object;
	}

	/**
	 * Whether JSON leaves out this zero. The descriptors do not show that, so the answer
	 * comes from the table under test.
	 */
	private static boolean isLeftOut(Descriptor descriptor, FieldDescriptor field, JsonNode json) {
		String name = descriptor.getFullName().replaceFirst(".*\\.(?=\\w+\\.v\\d\\.)", "");
		boolean zero = (json.isString() && json.stringValue().isEmpty()) || (json.isNumber() && json.doubleValue() == 0)
				|| (json.isBoolean() && !json.booleanValue());
		return zero && MessageTable.get()
			.message(name)
			.fields()
			.stream()
			.anyMatch((one) -> one.number() == field.getNumber() && one.zero() == Field.Zero.OMITTED);
	}

	private static JsonNode json(FieldDescriptor field, Object value) {
		if (field.isMapField()) {
			ObjectNode map = NODES.objectNode();
			for (Object entry : (List<?>) value) {
				Message pair = (Message) entry;
				FieldDescriptor content = field.getMessageType().findFieldByNumber(2);
				map.set((String) pair.getField(field.getMessageType().findFieldByNumber(1)),
						json(content, pair.getField(content)));
			}
			return map;
		}
		if (field.isRepeated() && value instanceof List<?> values) {
			ArrayNode array = NODES.arrayNode();
			values.forEach((element) -> array.add(single(element)));
			return array;
		}
		return single(value);
	}

	private static JsonNode single(Object value) {
		if (value instanceof ByteString bytes) {
			return NODES.stringNode(Base64.getEncoder().encodeToString(bytes.toByteArray()));
		}
		if (value instanceof Double number && Math.rint(number) == number && Math.abs(number) < 1e15) {
			return NODES.numberNode(number.intValue());
		}
		return (value instanceof Message message) ? message(message)
				: MAPPER.readTree(MAPPER.writeValueAsString(value));
	}

	private static JsonNode message(Message message) {
		return switch (message.getDescriptorForType().getName()) {
			case "Time" -> NODES.stringNode(Instant.ofEpochSecond((long) field(message, 1)).toString());
			case "MicroTime" -> NODES.stringNode(
					"%s.%06dZ".formatted(Instant.ofEpochSecond((long) field(message, 1)).toString().replace("Z", ""),
							(int) field(message, 2) / 1000));
			case "Quantity" -> NODES.stringNode(field(message, 1).equals("") ? "0" : (String) field(message, 1));
			case "IntOrString" -> ((long) field(message, 1) == 0) ? NODES.numberNode((int) field(message, 2))
					: NODES.stringNode((String) field(message, 3));
			case "FieldsV1", "RawExtension", "JSON" -> MAPPER.readTree(((ByteString) field(message, 1)).toStringUtf8());
			case "ExtraValue" -> json(message.getDescriptorForType().findFieldByNumber(1), field(message, 1));
			case "JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray" -> {
				Map.Entry<FieldDescriptor, Object> last = null;
				for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
					last = entry;
				}
				yield (last != null) ? json(last.getKey(), last.getValue()) : NODES.nullNode();
			}
			default -> object(message);
		};
	}

	private static Object field(Message message, int number) {
		return message.getField(message.getDescriptorForType().findFieldByNumber(number));
	}

}
