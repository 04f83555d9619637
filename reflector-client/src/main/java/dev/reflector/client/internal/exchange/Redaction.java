package dev.reflector.client.internal.exchange;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

import dev.reflector.cache.source.Status;
import dev.reflector.cache.source.WatchEvent;

/**
 * Removes the token of the request from texts in responses, because a server, or a proxy
 * in front of it, may quote the request. Finds the token itself, its URL-encoded form,
 * and its Base64 at any offset. At the end of a text, also finds the beginning of the
 * token, because the text may be cut off.
 */
final class Redaction {

	/** The redaction for a request that contains no secret. */
	static final Redaction NONE = new Redaction(List.of());

	private static final String SHOWN = "***";

	/**
	 * The length of the shortest token that is searched. A shorter token is no secret,
	 * and would be found in ordinary words.
	 */
	private static final int MIN_LENGTH = 4;

	/**
	 * At the end of a text, a beginning of the token is removed only if it has at least
	 * this length.
	 */
	private static final int MIN_BEGINNING = 8;

	private final List<String> forms;

	private Redaction(List<String> forms) {
		this.forms = forms;
	}

	static Redaction of(Optional<String> token) {
		return token.filter((text) -> text.length() >= MIN_LENGTH)
			.map((text) -> new Redaction(forms(text)))
			.orElse(NONE);
	}

	private static List<String> forms(String token) {
		Set<String> forms = new LinkedHashSet<>();
		forms.add(token);
		String encoded = URLEncoder.encode(token, StandardCharsets.UTF_8);
		forms.add(encoded);
		forms.add(lowerCaseEscapes(encoded));
		for (int before = 0; before < 3; before++) {
			forms.add(base64(Base64.getEncoder(), token, before));
			forms.add(base64(Base64.getUrlEncoder(), token, before));
		}
		List<String> longestFirst = new ArrayList<>(forms);
		longestFirst.sort(Comparator.comparingInt(String::length).reversed());
		return List.copyOf(longestFirst);
	}

	private static String lowerCaseEscapes(String encoded) {
		StringBuilder text = new StringBuilder(encoded);
		for (int at = text.indexOf("%"); at >= 0; at = text.indexOf("%", at + 1)) {
			text.replace(at + 1, at + 3, text.substring(at + 1, at + 3).toLowerCase(Locale.ROOT));
		}
		return text.toString();
	}

	/**
	 * Returns the Base64 of the token if {@code before} other bytes precede it. Omits the
	 * first and last characters, which also depend on the other bytes.
	 */
	private static String base64(Base64.Encoder encoder, String token, int before) {
		String longer = "x".repeat(before) + token;
		String whole = encoder.withoutPadding().encodeToString(longer.getBytes(StandardCharsets.UTF_8));
		return whole.substring((before * 8 + 5) / 6, longer.length() * 8 / 6);
	}

	/**
	 * Removes the token from a text.
	 * @param text the text that the server has sent
	 * @return the text without the token
	 */
	String of(String text) {
		String shown = text;
		for (String form : this.forms) {
			shown = shown.replace(form, SHOWN);
		}
		for (String form : this.forms) {
			for (int length = Math.min(form.length() - 1, shown.length()); length >= MIN_BEGINNING; length--) {
				if (shown.regionMatches(shown.length() - length, form, 0, length)) {
					shown = shown.substring(0, shown.length() - length) + SHOWN;
					break;
				}
			}
		}
		return shown;
	}

	Status of(Status status) {
		return this.forms.isEmpty() ? status
				: new Status(status.code(), of(status.reason()), of(status.message()), status.causes()
					.stream()
					.map((cause) -> new Status.Cause(of(cause.reason()), of(cause.message()), of(cause.field())))
					.toList(), status.retryAfterSeconds(), status.hasDetails());
	}

	/**
	 * Removes the token from the status of an {@code ERROR} frame.
	 * @param <R> the type of the result
	 * @param read a result of reading a response
	 * @return the given result or, for an {@code ERROR} frame, a copy without the token
	 */
	@SuppressWarnings("unchecked")
	<R> R ofRead(R read) {
		return (read instanceof WatchEvent.Error<?> error) ? (R) new WatchEvent.Error<>(of(error.status())) : read;
	}

}
