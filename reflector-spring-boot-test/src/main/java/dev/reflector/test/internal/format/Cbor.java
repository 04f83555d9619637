package dev.reflector.test.internal.format;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BinaryNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;
import tools.jackson.dataformat.cbor.CBORMapper;

/**
 * Reads and writes the CBOR of the server (W-61). Like real servers, and unlike Jackson's
 * generator, it writes texts and map keys as byte strings, maps in no order, floating
 * point numbers in as few bytes as possible, and no indefinite lengths.
 */
final class Cbor {

	/** Tag 55799 (self-described CBOR), which real servers write before every value. */
	private static final byte[] SELF_DESCRIBED = { (byte) 0xd9, (byte) 0xd9, (byte) 0xf7 };

	static final int TAG_LENGTH = SELF_DESCRIBED.length;

	/** Reads CBOR, and rejects maps with duplicate keys (W-61). */
	static final CBORMapper MAPPER = CBORMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

	private static final int NEGATIVE = 1 << 5;

	private static final int BYTES = 2 << 5;

	private static final int ARRAY = 4 << 5;

	private static final int MAP = 5 << 5;

	private static final int INDEFINITE = 31;

	private static final byte BREAK = (byte) 0xff;

	private static final int FALSE = 0xf4;

	private static final int TRUE = 0xf5;

	private static final int NULL = 0xf6;

	private static final int HALF = 0xf9;

	private static final int SINGLE = 0xfa;

	private static final int DOUBLE = 0xfb;

	private Cbor() {
	}

	/**
	 * Writes a value.
	 * @param value the value
	 * @param order seed for the order of map keys, so that the order is the same each
	 * time
	 * @return the value after the tag of self-described CBOR
	 */
	static byte[] bytes(JsonNode value, long order) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(SELF_DESCRIBED);
		write(out, value, random(order));
		return out.toByteArray();
	}

	/**
	 * Writes a value without the tag, for use inside another value.
	 * @param value the value
	 * @return the value
	 */
	static byte[] inner(JsonNode value) {
		return untagged(bytes(value, 0));
	}

	static byte[] untagged(byte[] value) {
		boolean tagged = Arrays.mismatch(SELF_DESCRIBED, value) == TAG_LENGTH;
		return tagged ? Arrays.copyOfRange(value, TAG_LENGTH, value.length) : value;
	}

	/**
	 * Writes a map from values that are in CBOR already.
	 * @param entries the entries in the order in which to write them, with values in CBOR
	 * @return the map after the tag of self-described CBOR
	 */
	static byte[] map(Map<String, byte[]> entries) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(SELF_DESCRIBED);
		head(out, MAP, entries.size());
		entries.forEach((key, value) -> {
			text(out, key);
			out.writeBytes(value);
		});
		return out.toByteArray();
	}

	/**
	 * Writes a list without its items, which are written separately.
	 * @param list the list with an empty array of items
	 * @param count the number of items, negative if it is not known
	 * @param order seed for the order of map keys
	 * @return the bytes around the items
	 */
	static ListEnvelope envelope(ObjectNode list, int count, long order) {
		Random random = random(order);
		List<String> names = new ArrayList<>(list.propertyNames());
		Collections.shuffle(names, random);
		ByteArrayOutputStream opening = new ByteArrayOutputStream();
		ByteArrayOutputStream closing = new ByteArrayOutputStream();
		opening.writeBytes(SELF_DESCRIBED);
		head(opening, MAP, names.size());
		ByteArrayOutputStream out = opening;
		for (String name : names) {
			text(out, name);
			if (!"items".equals(name) || list.path(name).isNull()) {
				write(out, list.path(name), random);
				continue;
			}
			out = closing;
			if (count < 0) {
				opening.write(ARRAY | INDEFINITE);
				closing.write(BREAK);
			}
			else {
				head(opening, ARRAY, count);
			}
		}
		return new ListEnvelope(opening.toByteArray(), new byte[0], closing.toByteArray());
	}

	/**
	 * Reads a map that a client has sent.
	 * @param bytes the bytes from the client
	 * @return the map as a JSON object
	 * @throws ApiFailure if the bytes are not one map
	 */
	static ObjectNode read(byte[] bytes) {
		JsonNode node;
		try {
			node = MAPPER.readTree(bytes);
		}
		catch (JacksonException ex) {
			throw ApiFailure.badRequest("the object provided is unrecognized: " + ex.getOriginalMessage());
		}
		// the map is written as JSON and parsed, so that equal numbers become equal nodes
		return Json.read(Json.bytes(asOfJson(node)));
	}

	// converts to the nodes of JSON: byte strings become texts, and floating point
	// numbers get the digits of doubles
	private static JsonNode asOfJson(JsonNode node) {
		if (node instanceof BinaryNode binary) {
			return StringNode.valueOf(new String(binary.binaryValue(), StandardCharsets.UTF_8));
		}
		if (node.isFloat()) {
			return DoubleNode.valueOf(node.floatValue());
		}
		if (node instanceof ObjectNode object) {
			object.forEachEntry((name, value) -> object.set(name, asOfJson(value)));
		}
		else if (node instanceof ArrayNode array) {
			for (int i = 0; i < array.size(); i++) {
				array.set(i, asOfJson(array.get(i)));
			}
		}
		return node;
	}

	private static Random random(long order) {
		// the seed is scrambled, because neighboring seeds would give similar orders
		return new Random(new SplittableRandom(order).nextLong());
	}

	private static void write(ByteArrayOutputStream out, JsonNode value, Random random) {
		switch (value.getNodeType()) {
			case OBJECT -> {
				List<Map.Entry<String, JsonNode>> entries = new ArrayList<>(value.properties());
				Collections.shuffle(entries, random);
				head(out, MAP, entries.size());
				entries.forEach((entry) -> {
					text(out, entry.getKey());
					write(out, entry.getValue(), random);
				});
			}
			case ARRAY -> {
				head(out, ARRAY, value.size());
				value.forEach((element) -> write(out, element, random));
			}
			case STRING -> text(out, value.stringValue());
			case NUMBER -> number(out, value);
			case BOOLEAN -> out.write(value.booleanValue() ? TRUE : FALSE);
			default -> out.write(NULL);
		}
	}

	private static void text(ByteArrayOutputStream out, String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		head(out, BYTES, bytes.length);
		out.writeBytes(bytes);
	}

	// as in real servers, a number is a 64 bit integer or a double
	private static void number(ByteArrayOutputStream out, JsonNode number) {
		if (!number.isIntegralNumber() || !number.canConvertToLong()) {
			floatingPoint(out, number.asDouble());
			return;
		}
		long integer = number.longValue();
		head(out, (integer < 0) ? NEGATIVE : 0, (integer < 0) ? ~integer : integer);
	}

	private static void floatingPoint(ByteArrayOutputStream out, double value) {
		float single = (float) value;
		if (single != value) {
			out.write(DOUBLE);
			bigEndian(out, Double.doubleToLongBits(value), Double.BYTES);
			return;
		}
		int half = half(single);
		out.write((half >= 0) ? HALF : SINGLE);
		bigEndian(out, (half >= 0) ? half : Float.floatToIntBits(single), (half >= 0) ? Short.BYTES : Float.BYTES);
	}

	/**
	 * Returns the bits of a number as binary16 of IEEE 754.
	 * @param value the number
	 * @return the bits, or a negative number if the value does not fit exactly
	 */
	private static int half(float value) {
		int bits = Float.floatToIntBits(value);
		int sign = (bits >>> 16) & 0x8000;
		int exponent = Math.getExponent(value);
		int fraction = bits & 0x7fffff;
		if (value == 0) {
			return sign;
		}
		if (exponent >= -14 && exponent <= 15 && (fraction & 0x1fff) == 0) {
			return sign | ((exponent + 15) << 10) | (fraction >>> 13);
		}
		int shift = -1 - exponent;
		int subnormal = fraction | 0x800000;
		boolean fits = exponent >= -24 && exponent < -14 && (subnormal & ((1 << shift) - 1)) == 0;
		return fits ? sign | (subnormal >>> shift) : -1;
	}

	private static void head(ByteArrayOutputStream out, int type, long number) {
		if (number >= 0 && number < 24) {
			out.write(type | (int) number);
			return;
		}
		// the exponent of the number of bytes that follow: 0 for 1 byte, 1 for 2, 2 for
		// 4, 3 for 8
		int size = (number >>> 8 == 0) ? 0 : (number >>> 16 == 0) ? 1 : (number >>> 32 == 0) ? 2 : 3;
		out.write(type | (24 + size));
		bigEndian(out, number, 1 << size);
	}

	private static void bigEndian(ByteArrayOutputStream out, long bits, int bytes) {
		for (int i = bytes - 1; i >= 0; i--) {
			out.write((int) (bits >>> (8 * i)));
		}
	}

	/**
	 * Writes a map with an additional entry.
	 * @param map the map
	 * @param name the name of the entry
	 * @param value the value of the entry, in CBOR
	 * @return the map after the tag of self-described CBOR
	 */
	static byte[] with(JsonNode map, String name, byte[] value) {
		Map<String, byte[]> entries = new LinkedHashMap<>();
		map.forEachEntry((key, old) -> entries.put(key, inner(old)));
		entries.put(name, value);
		return map(entries);
	}

}
