package dev.reflector.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * CBOR as API servers write it (W-61): texts and keys are byte strings, keys come in any
 * order.
 */
final class CborBytes {

	static final byte[] SELF_DESCRIBED = hex("d9d9f7");

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private CborBytes() {
	}

	static byte[] hex(String hex) {
		return HexFormat.of().parseHex(hex);
	}

	static byte[] joined(byte[]... parts) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			out.writeBytes(part);
		}
		return out.toByteArray();
	}

	/** A value as it stands alone. */
	static byte[] of(String json) {
		return of(json, new Random(0));
	}

	static byte[] of(String json, Random order) {
		return joined(SELF_DESCRIBED, of(MAPPER.readTree(json), order));
	}

	/** A value as it stands within others. */
	static byte[] inner(String json) {
		return of(MAPPER.readTree(json), new Random(0));
	}

	static byte[] head(int type, long value) {
		int first = type << 5;
		if (value >= 0 && value < 24) {
			return new byte[] { (byte) (first | value) };
		}
		return ByteBuffer.allocate(9).put((byte) (first | 27)).putLong(value).array();
	}

	static byte[] text(String text) {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		return joined(head(2, bytes.length), bytes);
	}

	/** A map of keys and of values that are CBOR already. */
	static byte[] map(Object... entries) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		out.writeBytes(SELF_DESCRIBED);
		out.writeBytes(head(5, entries.length / 2));
		for (Object entry : entries) {
			out.writeBytes((entry instanceof byte[] bytes) ? bytes : text((String) entry));
		}
		return out.toByteArray();
	}

	static byte[] frame(String type, byte[] object) {
		return map("type", text(type), "object", object);
	}

	private static byte[] of(JsonNode node, Random order) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		switch (node.getNodeType()) {
			case OBJECT -> {
				List<Map.Entry<String, JsonNode>> entries = new ArrayList<>(node.properties());
				Collections.shuffle(entries, order);
				out.writeBytes(head(5, entries.size()));
				for (Map.Entry<String, JsonNode> entry : entries) {
					out.writeBytes(text(entry.getKey()));
					out.writeBytes(of(entry.getValue(), order));
				}
			}
			case ARRAY -> {
				out.writeBytes(head(4, node.size()));
				node.forEach((element) -> out.writeBytes(of(element, order)));
			}
			case STRING -> out.writeBytes(text(node.stringValue()));
			case BOOLEAN -> out.write(node.booleanValue() ? 0xf5 : 0xf4);
			case NUMBER -> out.writeBytes(number(node));
			default -> out.write(0xf6);
		}
		return out.toByteArray();
	}

	private static byte[] number(JsonNode node) {
		if (!node.isIntegralNumber()) {
			return ByteBuffer.allocate(9).put((byte) 0xfb).putDouble(node.doubleValue()).array();
		}
		long value = node.longValue();
		return (value >= 0) ? head(0, value) : head(1, ~value);
	}

}
