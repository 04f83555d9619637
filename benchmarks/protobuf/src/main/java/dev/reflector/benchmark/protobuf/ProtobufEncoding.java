package dev.reflector.benchmark.protobuf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Map;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.WireFormat;
import dev.reflector.benchmark.server.Envelope;
import dev.reflector.benchmark.server.Encoding;
import dev.reflector.benchmark.server.Kind;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.Meta.WatchEvent;
import io.kubernetes.client.proto.Runtime.RawExtension;
import io.kubernetes.client.proto.Runtime.TypeMeta;
import io.kubernetes.client.proto.Runtime.Unknown;
import io.kubernetes.client.proto.V1;
import tools.jackson.databind.json.JsonMapper;

/**
 * The protobuf of Kubernetes, for Pods.
 */
public final class ProtobufEncoding implements Encoding {

	private static final String MEDIA_TYPE = "application/vnd.kubernetes.protobuf";

	private static final Map<String, Descriptor> DESCRIPTORS = Map.of("Pod", V1.Pod.getDescriptor(), "Status",
			Meta.Status.getDescriptor(), "ListMeta", Meta.ListMeta.getDescriptor());

	private static final byte[] NOTHING = {};

	private static final byte[] MAGIC = { 'k', '8', 's', 0 };

	/** A server says with empty strings that an object is neither compressed nor JSON. */
	private static final byte[] PLAIN = Unknown.newBuilder()
		.setContentEncoding("")
		.setContentType("")
		.build()
		.toByteArray();

	private final JsonMapper mapper = JsonMapper.builder().build();

	@Override
	public String mediaType() {
		return MEDIA_TYPE;
	}

	@Override
	public String streamType() {
		return MEDIA_TYPE + ";stream=watch";
	}

	/** The length of the text, which is a short one. */
	@Override
	public byte byteBefore(String text) {
		return (byte) text.length();
	}

	@Override
	public byte[] fields(String kind, String members) {
		return message(kind, "{" + members);
	}

	private byte[] message(String name, String json) {
		Descriptor descriptor = DESCRIPTORS.get(name);
		if (descriptor == null) {
			throw new IllegalArgumentException("no protobuf is known of " + name);
		}
		return Messages.of(descriptor, this.mapper.readTree(json)).toByteArray();
	}

	@Override
	public Envelope item(Kind kind, int length) {
		return new Envelope(written((out) -> head(out, V1.PodList.ITEMS_FIELD_NUMBER, length)), NOTHING);
	}

	@Override
	public byte[] separator() {
		return NOTHING;
	}

	@Override
	public Envelope items(String metadata) {
		byte[] fields = message("ListMeta", metadata);
		return new Envelope(written((out) -> out.writeByteArray(V1.PodList.METADATA_FIELD_NUMBER, fields)), NOTHING);
	}

	@Override
	public Envelope typed(String apiVersion, String kind, long length) {
		byte[] type = TypeMeta.newBuilder().setApiVersion(apiVersion).setKind(kind).build().toByteArray();
		return new Envelope(written((out) -> {
			out.writeRawBytes(MAGIC);
			out.writeByteArray(Unknown.TYPEMETA_FIELD_NUMBER, type);
			head(out, Unknown.RAW_FIELD_NUMBER, length);
		}), PLAIN);
	}

	@Override
	public Envelope framed(String event, int length) {
		byte[] raw = written((out) -> head(out, RawExtension.RAW_FIELD_NUMBER, length));
		byte[] fields = written((out) -> {
			out.writeString(WatchEvent.TYPE_FIELD_NUMBER, event);
			head(out, WatchEvent.OBJECT_FIELD_NUMBER, raw.length + length);
			out.writeRawBytes(raw);
		});
		byte[] size = ByteBuffer.allocate(Integer.BYTES).putInt(fields.length + length).array();
		return new Envelope(fields, NOTHING).within(new Envelope(size, NOTHING));
	}

	/** Writes the tag and length before the bytes of a field. */
	private static void head(CodedOutputStream out, int field, long length) throws IOException {
		out.writeTag(field, WireFormat.WIRETYPE_LENGTH_DELIMITED);
		out.writeUInt64NoTag(length);
	}

	private static byte[] written(Writing writing) {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		CodedOutputStream out = CodedOutputStream.newInstance(bytes);
		try {
			writing.to(out);
			out.flush();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return bytes.toByteArray();
	}

	/** Writes something. */
	@FunctionalInterface
	private interface Writing {

		void to(CodedOutputStream out) throws IOException;

	}

}
