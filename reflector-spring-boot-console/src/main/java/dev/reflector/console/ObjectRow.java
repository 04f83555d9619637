package dev.reflector.console;

import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table: one object.
 *
 * @param key key of the object
 * @param shown the key as the console shows it
 * @param text the shown key as text, for the search
 * @param object the object
 * @param resourceVersion version of the object
 * @param number the version as a number, -1 if it is not a number
 * @param createdAt when the object was created, in milliseconds, or {@code null}
 * @param labels the labels as the console shows them
 */
record ObjectRow(ResourceKey key, ResourceKey shown, String text, Object object, String resourceVersion, long number,
		@Nullable Long createdAt, Map<String, String> labels) {

	static final Comparator<ObjectRow> BY_KEY = Comparator.comparing(ObjectRow::key);

	static final Comparator<ObjectRow> BY_VERSION = Comparator.<ObjectRow>comparingLong(ObjectRow::number)
		.thenComparing(ObjectRow::resourceVersion)
		.thenComparing(BY_KEY);

	static final Comparator<ObjectRow> BY_NAME = Comparator.<ObjectRow, String>comparing((row) -> row.shown().name())
		.thenComparing(BY_KEY);

	/** Orders the youngest objects first, and objects of unknown age last. */
	static final Comparator<ObjectRow> BY_AGE = Comparator.<ObjectRow>comparingLong(ObjectRow::age)
		.thenComparing(BY_KEY);

	static <T> ObjectRow of(ResourceKey key, T object, ResourceAccessor<T> accessor, LabelReader labels,
			Journal journal) {
		String version = accessor.resourceVersion(object);
		Instant created = accessor.creationTimestamp(object);
		ResourceKey shown = journal.shown(key);
		return new ObjectRow(key, shown, shown.toString().toLowerCase(Locale.ROOT), object, version, number(version),
				(created != null) ? created.toEpochMilli() : null, journal.shown(labels.labels(object)));
	}

	/**
	 * Returns a number that is smaller for younger objects. It is used only to order
	 * objects.
	 */
	private long age() {
		Long created = this.createdAt;
		return (created != null) ? -created : Long.MAX_VALUE;
	}

	private static long number(String version) {
		if (version.isEmpty() || version.length() > 18) {
			return -1;
		}
		long number = 0;
		for (int i = 0; i < version.length(); i++) {
			char digit = version.charAt(i);
			if (digit < '0' || digit > '9') {
				return -1;
			}
			number = number * 10 + (digit - '0');
		}
		return number;
	}

}
