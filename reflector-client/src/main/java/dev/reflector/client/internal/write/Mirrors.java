package dev.reflector.client.internal.write;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.reflector.ReflectedResource;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.write.AppliedResource;

/**
 * The mirrors of the application, as far as writes need them.
 */
final class Mirrors {

	/**
	 * The time between two looks at the mirror, in milliseconds, because a mirror does
	 * not report when an object is gone.
	 */
	private static final long LOOK_MILLIS = 5;

	private final Supplier<List<Mirror<?>>> all;

	Mirrors(Supplier<List<Mirror<?>>> all) {
		this.all = all;
	}

	private List<Mirror<?>> of(ResourceType type, String namespace) {
		return this.all.get().stream().filter((mirror) -> mirror.mirrors(type, namespace)).toList();
	}

	/**
	 * Returns the collection of a mirrored type: the one of its mirror, or otherwise the
	 * one that the type declares, without properties.
	 */
	ResourceType mirrored(Class<?> type) {
		Optional<ResourceType> mirrored = this.all.get()
			.stream()
			.filter((mirror) -> mirror.type() == type)
			.map((mirror) -> mirror.informer().resourceType())
			.findFirst();
		if (mirrored.isPresent()) {
			return mirrored.get();
		}
		ReflectedResource declared = type.getAnnotation(ReflectedResource.class);
		if (declared == null) {
			throw new IllegalArgumentException(type.getName() + " is neither mirrored nor annotated with @"
					+ AppliedResource.class.getSimpleName() + ", so its collection is not known");
		}
		if ((declared.apiVersion() + declared.kind() + declared.plural()).contains("${")) {
			throw new IllegalArgumentException("the @ReflectedResource of " + type.getName()
					+ " has placeholders, and there is no mirror of it that knows their values");
		}
		return AppliedShape.resource(declared.apiVersion(), declared.kind(), declared.plural(), type);
	}

	/**
	 * Returns the version of an object in the mirrors that have it, if all of them have
	 * the same; otherwise empty.
	 */
	String version(ResourceType type, ResourceKey key, String uid) {
		Set<String> versions = of(type, key.namespace()).stream()
			.map((mirror) -> mirror.version(key, uid))
			.filter(Objects::nonNull)
			.collect(Collectors.toSet());
		return (versions.size() == 1) ? versions.iterator().next() : "";
	}

	/**
	 * Returns the latest known version of an object.
	 * @param answered the version of the last response, empty when there was none
	 * @return the version, empty when none is known
	 */
	String latest(Write write, String answered) {
		String namespace = write.key().namespace();
		boolean ahead = answered.isEmpty() || of(write.resource(), namespace).stream()
			.allMatch((mirror) -> mirror.lister().hasReached(namespace, answered));
		String mirrored = version(write.resource(), write.key(), write.uid());
		return (ahead && !mirrored.isEmpty()) ? mirrored : answered;
	}

	/**
	 * Waits until an object has another version than the given one, or is gone.
	 * @return the new version, empty when it is gone or did not change in time
	 */
	String awaitAnother(Write write, String version, Deadline deadline) throws InterruptedException {
		String now = version(write.resource(), write.key(), write.uid());
		while (now.equals(version) && !deadline.hasPassed()) {
			TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
			now = version(write.resource(), write.key(), write.uid());
		}
		return now.equals(version) ? "" : now;
	}

	boolean awaitWritten(ResourceType type, ResourceKey key, String version, Duration timeout)
			throws InterruptedException {
		Deadline deadline = Deadline.in(timeout);
		List<Mirror<?>> mirrors = required(type, key);
		if (version.isEmpty()) {
			throw new IllegalStateException("the server has not named the version of '" + key
					+ "' that it has written, so no mirror can be asked for it");
		}
		for (Mirror<?> mirror : mirrors) {
			if (!mirror.lister().awaitResourceVersion(key.namespace(), version, deadline.left())) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Waits until an object is gone.
	 * @param known known versions of the object. A mirror must have passed them, because
	 * otherwise it could still receive the object; empty versions do not count
	 */
	boolean awaitDeleted(ResourceType type, ResourceKey key, String uid, List<String> known, Duration timeout)
			throws InterruptedException {
		Deadline deadline = Deadline.in(timeout);
		for (Mirror<?> mirror : required(type, key)) {
			for (String version : known) {
				if (!version.isEmpty()
						&& !mirror.lister().awaitResourceVersion(key.namespace(), version, deadline.left())) {
					return false;
				}
			}
			while (mirror.has(key, uid)) {
				if (deadline.hasPassed()) {
					return false;
				}
				TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
			}
		}
		return true;
	}

	private List<Mirror<?>> required(ResourceType type, ResourceKey key) {
		List<Mirror<?>> mirrors = of(type, key.namespace());
		if (mirrors.isEmpty()) {
			throw new IllegalStateException("there is no mirror of " + type
					+ (key.namespace().isEmpty() ? "" : " in the namespace '" + key.namespace() + "'")
					+ " to wait for: declare a type of this kind with @ReflectedResource, or do not wait");
		}
		return mirrors;
	}

}
