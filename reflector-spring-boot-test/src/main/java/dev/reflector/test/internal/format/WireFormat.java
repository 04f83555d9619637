package dev.reflector.test.internal.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

import org.springframework.util.MimeType;

/**
 * The formats in which values are written as bytes.
 */
public enum WireFormat {

	/** JSON, which every server and every client supports. */
	JSON("application/json", "application/json", 0) {

		@Override
		public byte[] bytes(JsonNode value, long order) {
			return Json.bytes(value);
		}

		@Override
		public ObjectNode read(byte[] bytes) {
			return Json.read(bytes);
		}

		@Override
		public ByteBuf frame(String type, byte[] object, boolean objectFirst) {
			// the buffer is unpooled, so it need not be released when the connection is
			// closed
			byte[] prefix = PREFIXES.get(type);
			return Unpooled.wrappedBuffer((prefix != null) ? prefix : framePrefix(type), object, END_OF_FRAME);
		}

		@Override
		byte[] framePrefix(String type) {
			return ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8);
		}

		@Override
		public byte[] objectOf(byte[] frame, String type) {
			byte[] prefix = framePrefix(type);
			int end = frame.length - END_OF_FRAME.length;
			boolean whole = startsWith(frame, prefix) && end > prefix.length
					&& Arrays.equals(frame, end, frame.length, END_OF_FRAME, 0, END_OF_FRAME.length);
			return whole ? Arrays.copyOfRange(frame, prefix.length, end) : frame;
		}

		@Override
		public byte[] withField(byte[] frame, String name, JsonNode value) {
			return withRawField(frame, name, Json.bytes(value));
		}

		@Override
		public byte[] withNesting(byte[] frame, String name, int depth) {
			return withRawField(frame, name, ("[".repeat(depth) + "]".repeat(depth)).getBytes(StandardCharsets.UTF_8));
		}

		// the field is inserted as text, because its value may be too deep for a tree
		private static byte[] withRawField(byte[] frame, String name, byte[] value) {
			String text = new String(frame, StandardCharsets.UTF_8).strip();
			return (text.substring(0, text.length() - 2) + "," + ServedType.quoted(name) + ":"
					+ new String(value, StandardCharsets.UTF_8) + "}}\n")
				.getBytes(StandardCharsets.UTF_8);
		}

		@Override
		public ListEnvelope envelope(ObjectNode list, int count, long order) {
			String text = new String(Json.bytes(list), StandardCharsets.UTF_8);
			if (list.path("items").isNull()) {
				return new ListEnvelope((text + "\n").getBytes(StandardCharsets.UTF_8), COMMA, new byte[0]);
			}
			int split = text.indexOf(ITEMS) + ITEMS.length();
			return new ListEnvelope(text.substring(0, split).getBytes(StandardCharsets.UTF_8), COMMA,
					(text.substring(split) + "\n").getBytes(StandardCharsets.UTF_8));
		}

		@Override
		public byte[] garbage() {
			return new byte[] { 0x7b, 0x22, (byte) 0xff, 0, 0x0a };
		}

	},

	/** CBOR, which only some servers support (KEP-4222, W-61). */
	CBOR("application/cbor", "application/cbor-seq", Cbor.TAG_LENGTH) {

		@Override
		public byte[] bytes(JsonNode value, long order) {
			return Cbor.bytes(value, order);
		}

		@Override
		public ObjectNode read(byte[] bytes) {
			return Cbor.read(bytes);
		}

		@Override
		public ByteBuf frame(String type, byte[] object, boolean objectFirst) {
			return Unpooled.wrappedBuffer(map(type, object, objectFirst));
		}

		private static byte[] map(String type, byte[] object, boolean objectFirst) {
			Map<String, byte[]> entries = new LinkedHashMap<>();
			if (objectFirst) {
				entries.put("object", object);
			}
			entries.put("type", Cbor.inner(StringNode.valueOf(type)));
			entries.putIfAbsent("object", object);
			return Cbor.map(entries);
		}

		@Override
		byte[] framePrefix(String type) {
			return map(type, new byte[0], false);
		}

		@Override
		public byte[] objectOf(byte[] frame, String type) {
			byte[] prefix = framePrefix(type);
			return startsWith(frame, prefix) ? Cbor.untagged(Arrays.copyOfRange(frame, prefix.length, frame.length))
					: frame;
		}

		@Override
		public byte[] withField(byte[] frame, String name, JsonNode value) {
			return withRawField(frame, name, Cbor.inner(value));
		}

		@Override
		public byte[] withNesting(byte[] frame, String name, int depth) {
			// each array contains one array, and the innermost array is empty
			byte[] nested = new byte[depth];
			Arrays.fill(nested, (byte) 0x81);
			nested[depth - 1] = (byte) 0x80;
			return withRawField(frame, name, nested);
		}

		private static byte[] withRawField(byte[] frame, String name, byte[] value) {
			ObjectNode tree = Cbor.read(frame);
			return map(Json.text(tree, "type"), Cbor.with(tree.path("object"), name, value), false);
		}

		@Override
		public ListEnvelope envelope(ObjectNode list, int count, long order) {
			return Cbor.envelope(list, count, order);
		}

		@Override
		public byte[] garbage() {
			// invalid CBOR: a break without an open item, and reserved initial bytes
			return new byte[] { (byte) 0xff, 0x1c, 0x3d, 0x5e };
		}

	};

	/** Stands for an unknown number of items. */
	public static final int UNKNOWN = -1;

	private static final String ITEMS = "\"items\":[";

	private static final byte[] COMMA = { ',' };

	private static final byte[] END_OF_FRAME = { '}', '\n' };

	private static final Map<String, byte[]> PREFIXES = Stream.of("ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR")
		.collect(Collectors.toUnmodifiableMap(Function.identity(), JSON::framePrefix));

	private final MimeType mimeType;

	private final String streamType;

	private final int tag;

	WireFormat(String contentType, String streamType, int tag) {
		this.mimeType = MimeType.valueOf(contentType);
		this.streamType = streamType;
		this.tag = tag;
	}

	MimeType mimeType() {
		return this.mimeType;
	}

	public String contentType() {
		return this.mimeType.toString();
	}

	/**
	 * Returns the content type of a watch.
	 * @return the content type
	 */
	public String streamType() {
		return this.streamType;
	}

	/**
	 * Returns the length of the tag at the beginning of a whole value. A value inside
	 * another value has no tag.
	 * @return the number of bytes, 0 if the format has no tag
	 */
	public int tag() {
		return this.tag;
	}

	/**
	 * Writes a value.
	 * @param value the value
	 * @param order seed for the order of map keys, if the format has no fixed order
	 * @return the bytes of the value, to be sent alone or within a frame
	 */
	public abstract byte[] bytes(JsonNode value, long order);

	/**
	 * Reads an object.
	 * @param bytes the bytes of the object
	 * @return the object
	 * @throws ApiFailure if the bytes are not an object
	 */
	public abstract ObjectNode read(byte[] bytes);

	/**
	 * Makes a frame of a watch.
	 * @param type the type of the event
	 * @param object the bytes of the object in this format
	 * @param objectFirst whether the object comes before the type; ignored if the format
	 * has a fixed order
	 * @return the frame
	 */
	public abstract ByteBuf frame(String type, byte[] object, boolean objectFirst);

	/**
	 * Returns the bytes that precede the object in a frame in which the type comes first.
	 * @param type the type of the event
	 * @return the bytes
	 */
	abstract byte[] framePrefix(String type);

	/**
	 * Returns the object of a frame.
	 * @param frame a frame in which the type comes first, or other bytes
	 * @param type the type of the event
	 * @return the bytes of the object without a leading tag; if {@code frame} is not such
	 * a frame, its bytes unchanged
	 */
	public abstract byte[] objectOf(byte[] frame, String type);

	/**
	 * Adds a field to the object of a frame.
	 * @param frame the frame
	 * @param name the name
	 * @param value the value
	 * @return a new frame
	 */
	public abstract byte[] withField(byte[] frame, String name, JsonNode value);

	/**
	 * Adds nested arrays to the object of a frame.
	 * @param frame the frame
	 * @param name the name of the field
	 * @param depth how deep the arrays are nested
	 * @return a new frame
	 */
	public abstract byte[] withNesting(byte[] frame, String name, int depth);

	/**
	 * Writes a list without its items.
	 * @param list the list with an empty array of items, or without the array if there
	 * are no items
	 * @param count the number of items, or {@link #UNKNOWN}
	 * @param order seed for the order of map keys, if the format has no fixed order
	 * @return the bytes around the items
	 */
	public abstract ListEnvelope envelope(ObjectNode list, int count, long order);

	/**
	 * Returns bytes that no client can read in this format.
	 * @return the bytes
	 */
	public abstract byte[] garbage();

	/**
	 * Writes a changed frame.
	 * @param frame the type and the object
	 * @return the frame
	 */
	public byte[] frame(ObjectNode frame) {
		return ByteBufUtil.getBytes(frame(Json.text(frame, "type"), bytes(frame.path("object"), 0), false));
	}

	private static boolean startsWith(byte[] bytes, byte[] prefix) {
		return bytes.length >= prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
	}

}
