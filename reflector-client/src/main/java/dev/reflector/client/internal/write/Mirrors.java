package dev.reflector.client.internal.write;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.reflector.ReflectedResource;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.internal.store.ResourceVersions;
import dev.reflector.write.AppliedResource;

/** The mirrors of the application, with the operations that writes need. */
final class Mirrors {

	/**
	 * The time in milliseconds between two checks of a mirror. Mirrors are checked
	 * repeatedly, because they do not report when an object is gone.
	 */
	private static final long LOOK_MILLIS = 5;

	private final Supplier<List<Mirror<?>>> all;

	private final Predicate<SharedInformer<?>> awaited;

	/**
	 * Creates the mirrors.
	 * @param all supplies all mirrors, in which the current version of an object is
	 * looked up
	 * @param awaited whether a caller who waits for the mirrors waits for one of them
	 */
	Mirrors(Supplier<List<Mirror<?>>> all, Predicate<SharedInformer<?>> awaited) {
		this.all = all;
		this.awaited = awaited;
	}

	private List<Mirror<?>> of(ResourceType type, String namespace) {
		return this.all.get().stream().filter((mirror) -> mirror.mirrors(type, namespace)).toList();
	}

	/**
	 * Returns the collection of a mirrored type. Gets it from the mirror of the type. If
	 * there is no mirror, gets it from the annotation of the type, without resolving
	 * placeholders.
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
	 * Returns the version of an object in the mirrors, or the empty string if no mirror
	 * contains the object, or if the mirrors contain different versions of it.
	 */
	String version(ResourceType type, ResourceKey key, String uid) {
		return only(versions(type, key, uid));
	}

	private Set<String> versions(ResourceType type, ResourceKey key, String uid) {
		return of(type, key.namespace()).stream()
			.map((mirror) -> mirror.version(key, uid))
			.filter(Objects::nonNull)
			.collect(Collectors.toSet());
	}

	private static String only(Set<String> found) {
		return (found.size() == 1) ? found.iterator().next() : "";
	}

	/**
	 * Returns the newest version of an object in the mirrors, or the empty string if no
	 * mirror contains the object, or if the mirrors contain versions that cannot be
	 * compared.
	 */
	private String newest(Write write) {
		String newest = "";
		for (String version : versions(write.resource(), write.key(), write.uid())) {
			if (newest.isEmpty() || ResourceVersions.isGreater(version, newest)) {
				newest = version;
			}
			else if (!ResourceVersions.isGreater(newest, version)) {
				return "";
			}
		}
		return newest;
	}

	/**
	 * Returns the uid of the object with a key in the mirrors, or the empty string if no
	 * mirror contains such an object, or if the mirrors contain different objects.
	 */
	String uid(ResourceType type, ResourceKey key) {
		Set<String> uids = of(type, key.namespace()).stream()
			.map((mirror) -> mirror.uid(key))
			.filter(Objects::nonNull)
			.collect(Collectors.toSet());
		return only(uids);
	}

	/**
	 * Returns the latest known version of an object.
	 * @param write the write to the object
	 * @param answered the version of the object in the response to an earlier write,
	 * empty for none
	 * @return the version, or the empty string if none is known
	 */
	String latest(Write write, String answered) {
		String namespace = write.key().namespace();
		// a mirror without the object may follow another server, and never reach the
		// version
		boolean reached = answered.isEmpty() || of(write.resource(), namespace).stream()
			.filter((mirror) -> mirror.version(write.key(), write.uid()) != null)
			.allMatch((mirror) -> mirror.lister().hasReached(namespace, answered));
		String mirrored = newest(write);
		boolean ahead = reached || ResourceVersions.isGreater(mirrored, answered);
		return (ahead && !mirrored.isEmpty()) ? mirrored : answered;
	}

	/**
	 * Waits until an object in the mirrors has another version, or is gone. Versions that
	 * are older than the given one are not returned, because the mirrors may be behind.
	 * @return the new version, or the empty string if the object is gone or has not
	 * changed in time
	 */
	String awaitAnother(Write write, String version, Deadline deadline) throws InterruptedException {
		String now = newest(write);
		while (!isAnother(now, version) && !deadline.hasPassed()) {
			TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
			now = newest(write);
		}
		return isAnother(now, version) ? now : "";
	}

	private static boolean isAnother(String now, String version) {
		return !now.equals(version) && !ResourceVersions.isGreater(version, now);
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
	 * Waits until no mirror contains a deleted object any more.
	 * @param known the known versions of the object. Each mirror must have reached all of
	 * them, because otherwise the mirror could still receive the object. Empty versions
	 * are ignored
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
		List<Mirror<?>> mirrors = of(type, key.namespace()).stream()
			.filter((mirror) -> this.awaited.test(mirror.informer()))
			.toList();
		if (mirrors.isEmpty()) {
			throw new IllegalStateException("there is no mirror of " + type
					+ (key.namespace().isEmpty() ? "" : " in the namespace '" + key.namespace() + "'")
					+ " to wait for: declare a type of this kind with @ReflectedResource, or do not wait");
		}
		return mirrors;
	}

}
