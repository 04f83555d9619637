package dev.reflector.client.internal.exchange;

import java.util.Locale;

import dev.reflector.client.options.ObjectFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Recognizes the formats of responses.
 */
final class MediaTypes {

	static final String CBOR = "application/cbor";

	static final String PROTOBUF = "application/vnd.kubernetes.protobuf";

	private MediaTypes() {
	}

	/**
	 * Returns the format of a response.
	 * @param headers the headers of the response
	 * @return the format, which is JSON if there is no content type; {@code null} for an
	 * unknown content type
	 */
	static @Nullable ObjectFormat format(HttpHeaders headers) {
		String value = headers.getFirst(HttpHeaders.CONTENT_TYPE);
		if (value == null) {
			return ObjectFormat.JSON;
		}
		String type = type(value);
		return switch (type) {
			case "", "application/json", "text/json" -> ObjectFormat.JSON;
			case CBOR, "application/cbor-seq" -> ObjectFormat.CBOR;
			case PROTOBUF -> ObjectFormat.PROTOBUF;
			default -> type.endsWith("+json") ? ObjectFormat.JSON : null;
		};
	}

	/**
	 * Returns whether a response is a human-readable text. A response without a content
	 * type counts as text.
	 * @param headers the headers of the response
	 * @return {@code true} for a text
	 */
	static boolean isText(HttpHeaders headers) {
		String value = headers.getFirst(HttpHeaders.CONTENT_TYPE);
		String type = (value != null) ? type(value) : "";
		return type.isEmpty() || type.equals("text/plain") || type.equals("text/html");
	}

	private static String type(String value) {
		int parameters = value.indexOf(';');
		return ((parameters < 0) ? value : value.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
	}

}
