package dev.reflector.benchmark.server;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The head of a request. No request has a body, and no client sends a second request
 * before the first is answered.
 *
 * @param path the path
 * @param query the parameters
 * @param headers the headers, with names in lower case
 */
record Request(String path, Map<String, String> query, Map<String, String> headers) {

	private static final int MAX_HEAD = 32 * 1024;

	static @Nullable Request read(SocketChannel channel) throws IOException {
		ByteBuffer buffer = ByteBuffer.allocate(MAX_HEAD);
		String head = "";
		while (!head.endsWith("\r\n\r\n")) {
			if (!buffer.hasRemaining() || channel.read(buffer) < 0) {
				return null;
			}
			head = new String(buffer.array(), 0, buffer.position(), StandardCharsets.ISO_8859_1);
		}
		String[] lines = head.split("\r\n");
		Map<String, String> headers = new HashMap<>();
		for (int i = 1; i < lines.length; i++) {
			int colon = lines[i].indexOf(':');
			headers.put(lines[i].substring(0, colon).toLowerCase(Locale.ROOT), lines[i].substring(colon + 1).strip());
		}
		String target = lines[0].split(" ")[1];
		int mark = target.indexOf('?');
		return new Request((mark < 0) ? target : target.substring(0, mark),
				query((mark < 0) ? "" : target.substring(mark + 1)), headers);
	}

	private static Map<String, String> query(String text) {
		Map<String, String> query = new HashMap<>();
		for (String pair : text.split("&")) {
			int equals = pair.indexOf('=');
			if (equals > 0) {
				query.put(pair.substring(0, equals),
						URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
			}
		}
		return query;
	}

	String text(String name) {
		return this.query.getOrDefault(name, "");
	}

	int number(String name, int otherwise) {
		String value = text(name);
		return value.isEmpty() ? otherwise : Integer.parseInt(value);
	}

	boolean isTrue(String name) {
		String value = text(name);
		return value.equals("true") || value.equals("1");
	}

	/** Whether an answer in this format is preferred: clients name that first. */
	boolean prefers(String mediaType) {
		return this.headers.getOrDefault("accept", "").split(",")[0].strip().equals(mediaType);
	}

	/** The key of a handshake for a web socket. */
	@Nullable String webSocketKey() {
		return "websocket".equalsIgnoreCase(this.headers.get("upgrade")) ? this.headers.get("sec-websocket-key") : null;
	}

}
