package dev.reflector.autoconfigure.internal;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;

/**
 * Checks values of properties. An exception names the property.
 */
public final class PropertyChecks {

	/** Nobody needs a longer time, and some timers overflow with one. */
	private static final int MAX_DAYS = 365;

	private PropertyChecks() {
	}

	public static @Nullable String textOrNull(@Nullable String value) {
		return StringUtils.hasText(value) ? value.strip() : null;
	}

	public static void requirePositive(String key, Duration value) {
		require(!value.isZero(), key, value, "It must be positive.");
		requireNotNegative(key, value);
	}

	public static void requireNotNegative(String key, Duration value) {
		require(!value.isNegative(), key, value, "It must not be negative.");
		requireAtMost(key, value, MAX_DAYS);
	}

	public static void requireAtMost(String key, Duration value, int days) {
		require(value.compareTo(Duration.ofDays(days)) <= 0, key, value, "It must be " + days + "d at most.");
	}

	public static void require(boolean condition, String key, Object value, String reason) {
		if (!condition) {
			throw new InvalidConfigurationPropertyValueException(key, value, reason);
		}
	}

}
