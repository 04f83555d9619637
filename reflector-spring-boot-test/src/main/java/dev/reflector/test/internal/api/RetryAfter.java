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
 * Reads and writes the header {@code Retry-After}, which contains seconds or a date.
 */
public final class RetryAfter {

	/**
	 * The format of dates. Unlike the JDK's format for RFC 1123, it always has two digits
	 * for the day.
	 */
	private static final DateTimeFormatter DATE = DateTimeFormatter
		.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
		.withZone(ZoneOffset.UTC);

	private RetryAfter() {
	}

	/**
	 * Returns the value of the header for a time.
	 * @param time the time; a fraction of a second is rounded up
	 * @return the value of the header
	 */
	public static String date(Instant time) {
		return DATE.format(time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS));
	}

	/**
	 * Returns the number of seconds after which to try again.
	 * @param header the value of the header
	 * @param now the current time
	 * @return the seconds, rounded up; empty if the header cannot be used
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
