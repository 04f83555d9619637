package dev.reflector.test.internal.api;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.OptionalInt;

/**
 * Reads and writes the header {@code Retry-After}, which holds seconds or a date.
 */
public final class RetryAfter {

	/** Unlike that of RFC 1123 as the JDK has it, with two digits for every day. */
	private static final DateTimeFormatter DATE = DateTimeFormatter
		.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
		.withZone(ZoneOffset.UTC);

	private RetryAfter() {
	}

	/**
	 * The header that names a time.
	 * @param time the time; a second that has begun counts
	 * @return the value of the header
	 */
	public static String date(Instant time) {
		return DATE.format(time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS));
	}

	/**
	 * After how many seconds to try again.
	 * @param header the value of the header
	 * @param now the time
	 * @return the seconds, begun ones included; empty when the header says nothing of use
	 */
	static OptionalInt seconds(String header, Instant now) {
		if (header.matches("[0-9]{1,9}")) {
			return OptionalInt.of(Integer.parseInt(header));
		}
		try {
			long millis = Duration.between(now, Instant.from(DATE.parse(header))).toMillis();
			return OptionalInt.of((int) Math.min(Integer.MAX_VALUE, Math.max(0, (millis + 999) / 1000)));
		}
		catch (DateTimeParseException ex) {
			return OptionalInt.empty();
		}
	}

}
