package dev.reflector.cache.internal.store;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import dev.reflector.PrintableText;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.cache.source.SkippedObject;
import org.jspecify.annotations.Nullable;

/**
 * Stores the objects that could not be read, and their versions, until each object can be
 * read or no longer exists. Stores at most {@value #MOST} objects, and none whose key or
 * version is longer than those of Kubernetes; of others, only notes that some are not
 * stored. Thread-safe.
 */
public final class SkippedVersions {

	/** The largest number of stored objects. */
	public static final int MOST = 10_000;

	/** The length of the longest name in Kubernetes. Versions are shorter. */
	private static final int MAX_LENGTH = 253;

	/** The largest number of objects in a sample. */
	private static final int SAMPLE = 20;

	/**
	 * The largest number of stored reasons. Reasons name types and fields, not objects,
	 * so there are usually few.
	 */
	private static final int REASONS = 100;

	private final Map<ResourceKey, Skip> versions = new HashMap<>();

	/** The texts of the reasons, so that many objects share one text. */
	private final Map<String, String> reasons = new HashMap<>();

	/**
	 * The namespaces in which there may be unreadable objects that are not stored here.
	 * The empty string stands for any namespace.
	 */
	private final Set<String> incomplete = new HashSet<>();

	/**
	 * The number of objects without a readable key in the last list of each namespace, if
	 * there are any.
	 */
	private final Map<String, Integer> nameless = new HashMap<>();

	public synchronized void note(SkippedObject object) {
		ResourceKey key = object.key();
		if (key != null && isUsual(key, object.resourceVersion())
				&& (this.versions.size() < MOST || this.versions.containsKey(key))) {
			if (this.reasons.size() >= REASONS) {
				this.reasons.clear();
			}
			String reason = this.reasons.computeIfAbsent(object.reason(), PrintableText::of);
			this.versions.put(key, new Skip(object.resourceVersion(), reason));
		}
		else if (key != null) {
			this.versions.remove(key);
			boolean usual = key.namespace().length() <= MAX_LENGTH && this.incomplete.size() < MOST;
			this.incomplete.add(usual ? key.namespace() : "");
		}
	}

	private static boolean isUsual(ResourceKey key, String version) {
		return key.namespace().length() <= MAX_LENGTH && key.name().length() <= MAX_LENGTH
				&& version.length() <= MAX_LENGTH;
	}

	/** Whether there may be unreadable objects that are not stored here. */
	public synchronized boolean isIncomplete() {
		return !this.incomplete.isEmpty() || !this.nameless.isEmpty();
	}

	/** Returns a sample of the objects, with as many different reasons as possible. */
	public synchronized List<ReflectorStatus.Skipped> sample() {
		Map<ResourceKey, Skip> sample = new LinkedHashMap<>();
		Set<String> reasons = new HashSet<>();
		this.versions.forEach((key, skip) -> {
			if (sample.size() < SAMPLE && reasons.add(skip.reason())) {
				sample.put(key, skip);
			}
		});
		this.versions.forEach((key, skip) -> {
			if (sample.size() < SAMPLE) {
				sample.putIfAbsent(key, skip);
			}
		});
		return sample.entrySet()
			.stream()
			.map((entry) -> new ReflectorStatus.Skipped(PrintableText.of(entry.getKey()),
					PrintableText.of(entry.getValue().version()), entry.getValue().reason()))
			.toList();
	}

	/**
	 * Removes an object that was read or no longer exists.
	 * @param key returns the key of the object; called only if any object is stored
	 */
	public synchronized void forget(Supplier<ResourceKey> key) {
		if (!this.versions.isEmpty()) {
			this.versions.remove(key.get());
		}
	}

	/**
	 * Removes each object that is missing from a complete list, or that the list contains
	 * in readable form.
	 * @param namespace the namespace of the list, {@code null} for all
	 * @param skipped the objects of the list that could not be read
	 * @param nameless how many other objects of the list have no readable key
	 */
	public synchronized void listed(@Nullable String namespace, Set<ResourceKey> skipped, int nameless) {
		this.versions.keySet()
			.removeIf((key) -> (namespace == null || namespace.equals(key.namespace())) && !skipped.contains(key));
		String scope = (namespace != null) ? namespace : "";
		this.nameless.put(scope, nameless);
		this.nameless.values().removeIf((number) -> number == 0);
		this.incomplete.removeIf((incomplete) -> namespace == null || namespace.equals(incomplete));
		if (!this.versions.keySet().containsAll(skipped)) {
			this.incomplete.add(scope);
		}
	}

	/**
	 * Returns the number of stored objects plus the number of objects without a readable
	 * key in the last lists; at most {@value #MOST}.
	 */
	public synchronized int size() {
		int nameless = this.nameless.values().stream().mapToInt(Integer::intValue).sum();
		return Math.min(MOST, this.versions.size() + nameless);
	}

	/** Whether the current version of an object could not be read. */
	public synchronized boolean contains(ResourceKey key) {
		return this.versions.containsKey(key);
	}

	public synchronized boolean contains(ResourceKey key, String resourceVersion) {
		Skip skip = this.versions.get(key);
		return skip != null && resourceVersion.equals(skip.version());
	}

	private record Skip(String version, String reason) {

	}

}
