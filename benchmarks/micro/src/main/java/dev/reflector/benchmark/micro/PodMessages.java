package dev.reflector.benchmark.micro;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Runtime;
import io.kubernetes.client.proto.V1;
import tools.jackson.databind.JsonNode;

/**
 * Writes pods in protobuf, with the messages of the official client. Leaves out fields
 * that are zero, of which a server sends those that Go has no pointer for.
 */
public final class PodMessages {

	/** Messages whose fields are, in JSON, those of the message around them. */
	private static final Map<String, String> INLINE = Map.of("Volume", "volumeSource", "Probe", "handler",
			"ConfigMapVolumeSource", "localObjectReference", "ConfigMapProjection", "localObjectReference",
			"SecretKeySelector", "localObjectReference", "ConfigMapKeySelector", "localObjectReference",
			"ConfigMapEnvSource", "localObjectReference", "SecretEnvSource", "localObjectReference");

	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	private PodMessages() {
	}

	/**
	 * Writes a frame of a watch.
	 * @param frame the frame in JSON
	 * @return its bytes, with the length in front
	 */
	public static byte[] frame(JsonNode frame) {
		Runtime.Unknown object = Runtime.Unknown.newBuilder()
			.setTypeMeta(Runtime.TypeMeta.newBuilder().setApiVersion("v1").setKind("Pod"))
			.setRaw(message(V1.Pod.getDescriptor(), frame.path("object")).toByteString())
			.setContentEncoding("")
			.setContentType("")
			.build();
		ByteString raw = ByteString.copyFrom(MAGIC).concat(object.toByteString());
		byte[] event = Meta.WatchEvent.newBuilder()
			.setType(frame.path("type").stringValue())
			.setObject(Runtime.RawExtension.newBuilder().setRaw(raw))
			.build()
			.toByteArray();
		return ByteBuffer.allocate(Integer.BYTES + event.length).putInt(event.length).put(event).array();
	}

	private static Message message(Descriptor descriptor, JsonNode json) {
		DynamicMessage.Builder builder = DynamicMessage.newBuilder(descriptor);
		switch (descriptor.getName()) {
			case "Time", "MicroTime" -> {
				set(builder, 1, Instant.parse(json.stringValue()).getEpochSecond());
				set(builder, 2, 0);
			}
			case "Quantity" -> set(builder, 1, json.asString());
			case "IntOrString" -> {
				set(builder, 1, json.isNumber() ? 0L : 1L);
				set(builder, 2, json.isNumber() ? json.intValue() : 0);
				set(builder, 3, json.isNumber() ? "" : json.stringValue());
			}
			case "FieldsV1" -> set(builder, 1, ByteString.copyFromUtf8(json.toString()));
			default -> {
				String inline = INLINE.get(descriptor.getName());
				if (inline != null) {
					FieldDescriptor field = descriptor.findFieldByName(inline);
					builder.setField(field, message(field.getMessageType(), json));
				}
				json.properties().forEach((property) -> add(builder, property.getKey(), property.getValue()));
			}
		}
		return builder.build();
	}

	private static void set(Message.Builder builder, int number, Object value) {
		builder.setField(builder.getDescriptorForType().findFieldByNumber(number), value);
	}

	private static void add(Message.Builder builder, String name, JsonNode json) {
		FieldDescriptor field = builder.getDescriptorForType().findFieldByName(name);
		if (field == null || json.isNull()) {
			// kind and API version are in the envelope
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

	private static Object value(FieldDescriptor field, JsonNode json) {
		return switch (field.getJavaType()) {
			case STRING -> json.stringValue();
			case BOOLEAN -> json.booleanValue();
			case INT -> json.intValue();
			case LONG -> json.longValue();
			case BYTE_STRING -> ByteString.copyFrom(Base64.getDecoder().decode(json.stringValue()));
			case MESSAGE -> message(field.getMessageType(), json);
			default -> throw new IllegalStateException(field.getFullName());
		};
	}

}
