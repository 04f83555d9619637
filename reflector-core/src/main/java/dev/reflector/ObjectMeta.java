package dev.reflector;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import org.jspecify.annotations.Nullable;

/**
 * The commonly needed metadata of an object of a Kubernetes-style API. A type that needs
 * more fields, or fewer to save memory, declares its own metadata type with the same
 * accessor names.
 * <p>
 * Any Jackson mapper can read this type, even one that requires a value for each
 * primitive.
 *
 * <pre class="code">
 * boolean isOwnedBy(ObjectMeta metadata, String uid) {
 *     return metadata.ownerReferences().stream().anyMatch((owner) -&gt; uid.equals(owner.uid()));
 * }
 * </pre>
 *
 * @param name name of the object, unique within its namespace and type
 * @param namespace namespace of the object, or {@code null} when its type is
 * cluster-scoped
 * @param uid identity of the object; a recreated object has a different one
 * @param resourceVersion version of the object; compare it only by the rules of the API,
 * because its form is up to the server
 * @param generation number that the server increases when the desired state changes, 0
 * when the server has no such number
 * @param labels labels, never {@code null}, unmodifiable
 * @param annotations annotations, never {@code null}, unmodifiable
 * @param creationTimestamp when the server created the object
 * @param deletionTimestamp when deletion of the object was requested, or {@code null}
 * @param finalizers finalizers that delay deletion, never {@code null}, unmodifiable
 * @param ownerReferences objects that this object depends on, never {@code null},
 * unmodifiable
 * @since 0.1.0
 */
public record ObjectMeta(@Nullable String name, @Nullable String namespace, @Nullable String uid,
		@Nullable String resourceVersion, @JsonSetter(nulls = Nulls.AS_EMPTY) long generation,
		Map<String, String> labels, Map<String, String> annotations, @Nullable Instant creationTimestamp,
		@Nullable Instant deletionTimestamp, List<String> finalizers, List<OwnerReference> ownerReferences) {

	private static final int MAX_TEXT = 10_000;

	/**
	 * Up to this number of keys, it is fast enough to compare all keys with each other.
	 */
	private static final int FEW = 32;

	/**
	 * Copies the collections; a missing one becomes empty, and entries without a value
	 * are left out.
	 */
	public ObjectMeta {
		labels = withoutNulls(labels);
		annotations = withoutNulls(annotations);
		finalizers = withoutNulls(finalizers);
		ownerReferences = withoutNulls(ownerReferences);
	}

	/**
	 * Creates metadata with a namespace and a name and nothing else.
	 * @param namespace the namespace, or {@code null} for a cluster-scoped object
	 * @param name the name
	 * @return the metadata
	 */
	public static ObjectMeta of(@Nullable String namespace, String name) {
		return new ObjectMeta(name, namespace, null, null, 0, Map.of(), Map.of(), null, null, List.of(), List.of());
	}

	/**
	 * Returns the components in a form that is safe for a log line, see
	 * {@link PrintableText}.
	 * @return the components
	 */
	@Override
	public String toString() {
		return PrintableText.of("ObjectMeta[name=" + this.name + ", namespace=" + this.namespace + ", uid=" + this.uid
				+ ", resourceVersion=" + this.resourceVersion + ", generation=" + this.generation + ", labels="
				+ this.labels + ", annotations=" + this.annotations + ", creationTimestamp=" + this.creationTimestamp
				+ ", deletionTimestamp=" + this.deletionTimestamp + ", finalizers=" + this.finalizers
				+ ", ownerReferences=" + this.ownerReferences + "]", MAX_TEXT);
	}

	private static Map<String, String> withoutNulls(@Nullable Map<String, String> map) {
		if (map == null || map.isEmpty()) {
			return Map.of();
		}
		if (!hasNull(map)) {
			return copy(map);
		}
		Map<String, String> rest = new TreeMap<>(map);
		rest.values().removeIf(Objects::isNull);
		return copy(rest);
	}

	/**
	 * Copies a map. An immutable map of the JDK compares a key with all keys that share
	 * its hash code, and the author of an object may choose such keys. So a map with many
	 * keys is copied to a sorted one.
	 */
	private static Map<String, String> copy(Map<String, String> map) {
		return (map.size() <= FEW) ? Map.copyOf(map) : Collections.unmodifiableMap(new TreeMap<>(map));
	}

	/**
	 * Does not use {@code containsValue(null)}, which fails on maps that do not allow
	 * null.
	 */
	private static boolean hasNull(Map<String, String> map) {
		for (String value : map.values()) {
			if (value == null) {
				return true;
			}
		}
		return false;
	}

	private static <E> List<E> withoutNulls(@Nullable List<E> list) {
		if (list == null || list.isEmpty()) {
			return List.of();
		}
		return list.stream().filter(Objects::nonNull).toList();
	}

	/**
	 * A reference to an owning object.
	 *
	 * @param apiVersion API version of the owner
	 * @param kind kind of the owner
	 * @param name name of the owner
	 * @param uid uid of the owner
	 * @param controller whether the owner is the managing controller
	 */
	public record OwnerReference(@Nullable String apiVersion, @Nullable String kind, @Nullable String name,
			@Nullable String uid, @JsonSetter(nulls = Nulls.AS_EMPTY) boolean controller) {

	}

}
