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
	public byte byteBefore(String text) {
		return '"';
	}

	@Override
	public byte[] fields(String kind, String members) {
		return bytes(members);
	}

	@Override
	public Envelope item(Kind kind, int length) {
		return kind.typedItems() ? typed(kind.apiVersion(), kind.kind(), length) : envelope("{", "");
	}

	@Override
	public byte[] separator() {
		return bytes(",");
	}

	@Override
	public Envelope items(String metadata) {
		return envelope("\"metadata\":" + metadata + ",\"items\":[", "]}\n");
	}

	@Override
	public Envelope typed(String apiVersion, String kind, long length) {
		return envelope("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",", "");
	}

	@Override
	public Envelope framed(String event, int length) {
		return envelope("{\"type\":\"" + event + "\",\"object\":", "}\n");
	}

	private static Envelope envelope(String before, String after) {
		return new Envelope(bytes(before), bytes(after));
	}

	private static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
