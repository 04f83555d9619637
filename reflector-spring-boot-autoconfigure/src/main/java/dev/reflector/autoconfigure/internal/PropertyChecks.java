package dev.reflector.autoconfigure.internal;

import java.time.Duration;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.StringUtils;

/**
 * Checks values of properties. An exception names the property.
 */
public final class PropertyChecks {

	/**
	 * Longest time that a property may have, in days. A longer time is never needed, and
	 * would overflow some timers.
	 */
	private static final int MAX_DAYS = 365;

	private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");

	private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

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

	/** Checks the times of a Lease by client-go's rules. */
	public static void requireLeaseTimes(String prefix, Duration leaseDuration, Duration renewDeadline,
			Duration retryPeriod) {
		requirePositive(prefix + "lease-duration", leaseDuration);
		requirePositive(prefix + "renew-deadline", renewDeadline);
		requirePositive(prefix + "retry-period", retryPeriod);
		require(leaseDuration.getNano() == 0, prefix + "lease-duration", leaseDuration, "It must be whole seconds.");
		require(leaseDuration.compareTo(renewDeadline) > 0, prefix + "lease-duration", leaseDuration,
				"It must be greater than the renew deadline (" + renewDeadline.toMillis() + " ms).");
		require(renewDeadline.multipliedBy(5).compareTo(retryPeriod.multipliedBy(6)) > 0, prefix + "renew-deadline",
				renewDeadline,
				"It must be greater than 1.2 times the retry period (" + retryPeriod.toMillis() + " ms).");
	}

	/** Checks that a name, if there is one, may be the name of a Kubernetes object. */
	public static void requireName(String key, @Nullable String name) {
		requireName(NAME, key, name);
	}

	/**
	 * Checks that a name, if there is one, may be the name of a namespace and the value
	 * of a label. Unlike names of other objects, such a name has no dots.
	 */
	public static void requireLabel(String key, @Nullable String name) {
		requireName(LABEL, key, name);
	}

	private static void requireName(Pattern pattern, String key, @Nullable String name) {
		require(name == null || pattern.matcher(name).matches(), key, String.valueOf(name),
				"It must be lower-case letters, digits and hyphens, as Kubernetes names are.");
	}

	public static void require(boolean condition, String key, Object value, String reason) {
		if (!condition) {
			throw new InvalidConfigurationPropertyValueException(key, value, reason);
		}
	}

}
