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
 * A way to write values as bytes.
 */
public enum WireFormat {

	/** What every server and every client can do. */
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
			// unpooled: what a closed connection leaves behind needs no release
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

		// as text, for the sake of fields that are no good as trees
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

	/** What servers with CBOR (KEP-4222) can do as well (W-61). */
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
			// arrays of one element, and within them one of none
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
			// a break where nothing is open, and reserved heads
			return new byte[] { (byte) 0xff, 0x1c, 0x3d, 0x5e };
		}

	};

	/** How many items a list has when that is unknown. */
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
	 * The content type of a watch.
	 * @return the content type
	 */
	public String streamType() {
		return this.streamType;
	}

	/**
	 * How many bytes of a value that stands alone are left out when it stands within
	 * others.
	 * @return the number of bytes
	 */
	public int tag() {
		return this.tag;
	}

	/**
	 * Writes a value.
	 * @param value the value
	 * @param order what the order of map keys hangs on, where it is none of the value
	 * @return the value as it stands alone or as the object of a frame
	 */
	public abstract byte[] bytes(JsonNode value, long order);

	/**
	 * Reads an object.
	 * @param bytes the object
	 * @return the object
	 * @throws ApiFailure when it is none
	 */
	public abstract ObjectNode read(byte[] bytes);

	/**
	 * Makes a frame of a watch.
	 * @param type the type of the event
	 * @param object the object, written already
	 * @param objectFirst whether the object goes ahead of the type where there is no
	 * order
	 * @return the frame
	 */
	public abstract ByteBuf frame(String type, byte[] object, boolean objectFirst);

	/**
	 * What stands before the object in a frame that names the type first.
	 * @param type the type of the event
	 * @return the bytes
	 */
	abstract byte[] framePrefix(String type);

	/**
	 * Takes the object out of a frame.
	 * @param frame what was made with the type first, or something else
	 * @param type the type of the event
	 * @return the object as it stands within other values, or the something else
	 */
	public abstract byte[] objectOf(byte[] frame, String type);

	/**
	 * Adds a field to the object of a frame.
	 * @param frame the frame
	 * @param name the name
	 * @param value the value
	 * @return another frame
	 */
	public abstract byte[] withField(byte[] frame, String name, JsonNode value);

	/**
	 * Adds arrays within arrays to the object of a frame.
	 * @param frame the frame
	 * @param name the name of the field
	 * @param depth how many arrays there are in one another
	 * @return another frame
	 */
	public abstract byte[] withNesting(byte[] frame, String name, int depth);

	/**
	 * Makes what stands around the items of a list.
	 * @param list the list with an empty array of items, or none when there are none
	 * @param count the number of items, {@link #UNKNOWN} when unknown
	 * @param order what the order of map keys hangs on, where it is none of the list
	 * @return what stands around
	 */
	public abstract ListEnvelope envelope(ObjectNode list, int count, long order);

	/**
	 * What no client can read as this format.
	 * @return the bytes
	 */
	public abstract byte[] garbage();

	/**
	 * Writes a frame that was changed.
	 * @param frame type and object
	 * @return the frame
	 */
	public byte[] frame(ObjectNode frame) {
		return ByteBufUtil.getBytes(frame(Json.text(frame, "type"), bytes(frame.path("object"), 0), false));
	}

	private static boolean startsWith(byte[] bytes, byte[] prefix) {
		return bytes.length >= prefix.length && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
	}

}
