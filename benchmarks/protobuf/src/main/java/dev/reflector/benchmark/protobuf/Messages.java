package dev.reflector.benchmark.protobuf;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes messages of the official client from JSON, with all fields that a server would
 * send.
 */
final class Messages {

	/**
	 * Fields of messages that JSON does not have: their nested fields are, in JSON,
	 * fields of the message around them.
	 */
	private static final Map<String, String> INLINE = Map.of("Volume", "volumeSource", "Probe", "handler",
			"ConfigMapVolumeSource", "localObjectReference");

	/**
	 * By message, fields without a pointer in Go: a server sends them even if they are
	 * zero.
	 */
	private static final Map<String, List<Integer>> ALWAYS = Map.ofEntries(Map.entry("Pod", List.of(1, 2, 3)),
			Map.entry("ObjectMeta", List.of(1, 2, 3, 4, 5, 6, 7, 8)), Map.entry("OwnerReference", List.of(1, 3, 4, 5)),
			Map.entry("ManagedFieldsEntry", List.of(1, 2, 3, 6, 8)),
			Map.entry("PodSpec", List.of(3, 6, 8, 9, 10, 11, 12, 13, 16, 17, 19, 24)),
			Map.entry("Toleration", List.of(1, 2, 3, 4)), Map.entry("LocalObjectReference", List.of(1)),
			Map.entry("ServiceAccountTokenProjection", List.of(1, 3)),
			Map.entry("Container", List.of(1, 2, 5, 8, 13, 14, 16, 17, 18, 20)),
			Map.entry("ContainerPort", List.of(1, 2, 3, 4, 5)), Map.entry("EnvVar", List.of(1, 2)),
			Map.entry("VolumeMount", List.of(1, 2, 3, 4, 6)), Map.entry("Probe", List.of(1, 2, 3, 4, 5, 6)),
			Map.entry("HTTPGetAction", List.of(1, 2, 3, 4)),
			Map.entry("PodStatus", List.of(1, 3, 4, 5, 6, 9, 11, 14, 17)),
			Map.entry("PodCondition", List.of(1, 2, 3, 4, 5, 6, 7)),
			Map.entry("ContainerStatus", List.of(1, 2, 3, 4, 5, 6, 7, 8)),
			Map.entry("ContainerStateRunning", List.of(1)), Map.entry("ListMeta", List.of(1, 2, 3)),
			Map.entry("Status", List.of(1, 2, 3, 4, 6)));

	private Messages() {
	}

	/**
	 * Makes a message.
	 * @param descriptor what it is
	 * @param json the same in JSON
	 * @return the message, which has everything that JSON has
	 * @throws IllegalArgumentException when JSON has a member that the message has not:
	 * without it, protobuf would have less to do
	 */
	static Message of(Descriptor descriptor, JsonNode json) {
		DynamicMessage.Builder builder = DynamicMessage.newBuilder(descriptor);
		switch (descriptor.getName()) {
			case "Time" -> {
				// none is a message without fields
				if (json.isString()) {
					set(builder, 1, Instant.parse(json.stringValue()).getEpochSecond());
					set(builder, 2, 0);
				}
			}
			case "Quantity" -> set(builder, 1, json.asString());
			case "IntOrString" -> {
				// a number, as all ports here are
				set(builder, 1, 0L);
				set(builder, 2, json.intValue());
				set(builder, 3, "");
			}
			case "FieldsV1" -> set(builder, 1, ByteString.copyFromUtf8(json.toString()));
			default -> {
				String inline = INLINE.get(descriptor.getName());
				ObjectNode own = json.asObject().deepCopy();
				if (inline != null) {
					FieldDescriptor field = descriptor.findFieldByName(inline);
					builder.setField(field, of(field.getMessageType(), taken(own, field.getMessageType())));
				}
				own.properties().forEach((property) -> add(builder, property.getKey(), property.getValue()));
				ALWAYS.getOrDefault(descriptor.getName(), List.of()).forEach((number) -> addZero(builder, number));
			}
		}
		return builder.build();
	}

	private static void set(Message.Builder builder, int number, Object value) {
		builder.setField(builder.getDescriptorForType().findFieldByNumber(number), value);
	}

	/** Takes out what the message of an inline field has. */
	private static JsonNode taken(ObjectNode json, Descriptor inline) {
		ObjectNode taken = JsonNodeFactory.instance.objectNode();
		for (String name : List.copyOf(json.propertyNames())) {
			if (inline.findFieldByName(name) != null) {
				taken.set(name, json.remove(name));
			}
		}
		return taken;
	}

	private static void add(Message.Builder builder, String name, JsonNode json) {
		FieldDescriptor field = builder.getDescriptorForType().findFieldByName(name);
		if (field == null) {
			throw new IllegalArgumentException(
					builder.getDescriptorForType().getFullName() + " has no field for " + name);
		}
		if (json.isNull()) {
			return;
		}
		if (field.isMapField()) {
			FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
			FieldDescriptor value = field.getMessageType().findFieldByNumber(2);
			json.properties()
				.forEach((entry) -> builder.addRepeatedField(field,
						DynamicMessage.newBuilder(field.getMessageType())
							.setField(key, entry.getKey())
							.setField(value, value(value, entry.getValue()))
							.build()));
		}
		else if (field.isRepeated()) {
			json.forEach((element) -> builder.addRepeatedField(field, value(field, element)));
		}
		else {
			builder.setField(field, value(field, json));
		}
	}

	private static void addZero(Message.Builder builder, int number) {
		FieldDescriptor field = builder.getDescriptorForType().findFieldByNumber(number);
		if (!builder.hasField(field)) {
			builder.setField(field, (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE)
					? of(field.getMessageType(), JsonNodeFactory.instance.objectNode()) : field.getDefaultValue());
		}
	}

	private static Object value(FieldDescriptor field, JsonNode json) {
		return switch (field.getJavaType()) {
			case STRING -> json.stringValue();
			case BOOLEAN -> json.booleanValue();
			case INT -> json.intValue();
			case LONG -> json.longValue();
			case MESSAGE -> of(field.getMessageType(), json);
			default -> throw new IllegalStateException(field.getFullName());
		};
	}

}
