package dev.reflector.console;

import java.time.Instant;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * What the table shows of one object.
 *
 * @param key its key
 * @param shown what is shown of its key
 * @param text what is shown of its key, to be searched
 * @param object the object itself
 * @param resourceVersion its version
 * @param number its version as a number, -1 when it is none
 * @param createdAt when it was created, in milliseconds
 * @param labels what is shown of its labels
 */
record ObjectRow(ResourceKey key, ResourceKey shown, String text, Object object, String resourceVersion, long number,
		@Nullable Long createdAt, Map<String, String> labels) {

	static final Comparator<ObjectRow> BY_KEY = Comparator.comparing(ObjectRow::key);

	static final Comparator<ObjectRow> BY_VERSION = Comparator.<ObjectRow>comparingLong(ObjectRow::number)
		.thenComparing(ObjectRow::resourceVersion)
		.thenComparing(BY_KEY);

	static final Comparator<ObjectRow> BY_NAME = Comparator.<ObjectRow, String>comparing((row) -> row.shown().name())
		.thenComparing(BY_KEY);

	/** The youngest first, and those of unknown age last. */
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

	/** As a number that is compared with those of others only. */
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
