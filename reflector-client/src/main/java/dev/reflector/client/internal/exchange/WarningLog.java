package dev.reflector.client.internal.exchange;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.reflector.PrintableText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.http.HttpHeaders;

/**
 * Logs warnings of the server, for example about an API version that will be removed
 * (W-57). A server sends the same warning with every response, so each text is logged
 * only once.
 */
final class WarningLog {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	// 299 is the only code that servers use. The quantifiers are possessive, so that no
	// text makes the match slow.
	private static final Pattern WARNING = Pattern.compile("299\\s+\\S+\\s+\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"");

	private static final int MAX_TEXTS = 100;

	private static final int MAX_TEXT = 500;

	private final Set<String> texts = ConcurrentHashMap.newKeySet();

	void note(ApiRequest request, HttpHeaders headers, Redaction redaction) {
		for (String value : headers.getOrEmpty(HttpHeaders.WARNING)) {
			Matcher matcher = WARNING.matcher(value);
			while (matcher.find()) {
				note(request, text(matcher.group(1), redaction));
			}
		}
	}

	private void note(ApiRequest request, String text) {
		// the number of texts is limited, because a server may send a new text each time
		if (this.texts.size() < MAX_TEXTS && this.texts.add(text)) {
			logger.warn("{}: the server warns: {}", request, text);
		}
	}

	private static String text(String quoted, Redaction redaction) {
		return PrintableText.of(redaction.of(quoted.replaceAll("\\\\(.)", "$1").replaceAll("\\s+", " ").strip()),
				MAX_TEXT);
	}

}
