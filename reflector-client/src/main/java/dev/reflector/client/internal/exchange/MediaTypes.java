package dev.reflector.client.internal.exchange;

import java.util.Locale;

import dev.reflector.client.options.ObjectFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Tells the formats of answers apart.
 */
final class MediaTypes {

	private MediaTypes() {
	}

	/**
	 * The format that an answer says it has.
	 * @param headers headers of the answer
	 * @return the format, JSON when it says nothing; {@code null} for any other
	 */
	static @Nullable ObjectFormat format(HttpHeaders headers) {
		String value = headers.getFirst(HttpHeaders.CONTENT_TYPE);
		if (value == null) {
			return ObjectFormat.JSON;
		}
		int parameters = value.indexOf(';');
		String type = ((parameters < 0) ? value : value.substring(0, parameters)).strip().toLowerCase(Locale.ROOT);
		return switch (type) {
			case "", "application/json", "text/json" -> ObjectFormat.JSON;
			case CborOffer.MEDIA_TYPE, "application/cbor-seq" -> ObjectFormat.CBOR;
			default -> type.endsWith("+json") ? ObjectFormat.JSON : null;
		};
	}

}
