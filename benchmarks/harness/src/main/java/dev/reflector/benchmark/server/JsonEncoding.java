package dev.reflector.benchmark.server;

import java.nio.charset.StandardCharsets;

/**
 * JSON.
 */
final class JsonEncoding implements Encoding {

	private static final String MEDIA_TYPE = "application/json";

	@Override
	public String mediaType() {
		return MEDIA_TYPE;
	}

	@Override
	public String streamType() {
		return MEDIA_TYPE;
	}

	@Override
	public byte before(String text) {
		return '"';
	}

	@Override
	public byte[] fields(String kind, String members) {
		return bytes(members);
	}

	@Override
	public Around item(Kind kind, int length) {
		return kind.typedItems() ? typed(kind.apiVersion(), kind.kind(), length) : around("{", "");
	}

	@Override
	public byte[] separator() {
		return bytes(",");
	}

	@Override
	public Around items(String metadata) {
		return around("\"metadata\":" + metadata + ",\"items\":[", "]}\n");
	}

	@Override
	public Around typed(String apiVersion, String kind, long length) {
		return around("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",", "");
	}

	@Override
	public Around framed(String event, int length) {
		return around("{\"type\":\"" + event + "\",\"object\":", "}\n");
	}

	private static Around around(String before, String after) {
		return new Around(bytes(before), bytes(after));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
