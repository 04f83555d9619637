package dev.reflector.write;

import java.util.List;
import java.util.Map;

import dev.reflector.ReflectedResource;
import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an applied object. It identifies the object, and contains the metadata
 * that the application owns. With {@link #of(Object)}, a write changes a mirrored object,
 * and never creates an object. With {@link #named(String, String)}, a write changes the
 * object with this name, or creates it.
 * <p>
 * A component that is {@code null} is not sent. If the field manager has applied this
 * component before, the server removes what it applied. An empty component is sent.
 *
 * @param namespace the namespace, or {@code null} for a cluster-scoped object
 * @param name the name
 * @param uid the uid of the object, or {@code null} for any object with the name
 * @param labels the labels that the application owns, or {@code null}
 * @param annotations the annotations that the application owns, or {@code null}
 * @param ownerReferences the owners of the object, or {@code null}
 * @param finalizers the finalizers of the object, or {@code null}
 * @since 0.1.0
 */
public record AppliedMeta(@Nullable String namespace, String name, @Nullable String uid,
		@Nullable Map<String, String> labels, @Nullable Map<String, String> annotations,
		@Nullable List<Owner> ownerReferences, @Nullable List<String> finalizers) {

	/**
	 * Creates metadata with copies of the collections.
	 * @throws IllegalArgumentException if the name or the uid is empty
	 */
	public AppliedMeta {
		if (name.isEmpty()) {
			throw new IllegalArgumentException("the name of an object must not be empty");
		}
		if (uid != null && uid.isEmpty()) {
			throw new IllegalArgumentException("the uid of '" + ResourceKey.of(namespace, name)
					+ "' must not be empty: use AppliedMeta.named(…) for an object that may be created");
		}
		namespace = (namespace != null && namespace.isEmpty()) ? null : namespace;
		labels = (labels != null) ? Map.copyOf(labels) : null;
		annotations = (annotations != null) ? Map.copyOf(annotations) : null;
		ownerReferences = (ownerReferences != null) ? List.copyOf(ownerReferences) : null;
		finalizers = (finalizers != null) ? List.copyOf(finalizers) : null;
	}

	/**
	 * Returns the metadata of a mirrored object. A write with this metadata contains the
	 * uid, so it never creates an object. If the object was deleted, the write fails with
	 * an {@link ObjectGoneException}.
	 * @param metadata the {@code metadata} of the mirrored object. Its type must have the
	 * accessors {@code name} and {@code uid}, and {@code namespace} unless the objects
	 * are cluster-scoped
	 * @return the metadata
	 * @throws IllegalArgumentException if the metadata has no name or no uid; the message
	 * says what to declare
	 */
	public static AppliedMeta of(Object metadata) {
		MirroredIdentity identity = MirroredIdentity.ofMetadata(metadata);
		return named(identity.key().namespace(), identity.key().name()).withUid(identity.uid());
	}

	/**
	 * Returns the metadata of an object that may not exist yet. If no object has this
	 * name, a write with this metadata creates one.
	 * @param namespace the namespace, or {@code null} or empty for a cluster-scoped
	 * object
	 * @param name the name
	 * @return the metadata
	 * @throws IllegalArgumentException if the name is empty
	 */
	public static AppliedMeta named(@Nullable String namespace, String name) {
		return new AppliedMeta(namespace, name, null, null, null, null, null);
	}

	private AppliedMeta withUid(String uid) {
		return new AppliedMeta(this.namespace, this.name, uid, this.labels, this.annotations, this.ownerReferences,
				this.finalizers);
	}

	/**
	 * Returns a copy of this metadata whose labels are replaced by the given ones. The
	 * application owns the given labels.
	 * @param labels the labels
	 * @return the metadata
	 */
	public AppliedMeta withLabels(Map<String, String> labels) {
		return new AppliedMeta(this.namespace, this.name, this.uid, labels, this.annotations, this.ownerReferences,
				this.finalizers);
	}

	/**
	 * Returns a copy of this metadata whose annotations are replaced by the given ones.
	 * The application owns the given annotations.
	 * @param annotations the annotations
	 * @return the metadata
	 */
	public AppliedMeta withAnnotations(Map<String, String> annotations) {
		return new AppliedMeta(this.namespace, this.name, this.uid, this.labels, annotations, this.ownerReferences,
				this.finalizers);
	}

	/**
	 * Returns a copy of this metadata whose owners are replaced by the given ones. If all
	 * owners are gone, the server deletes the object.
	 * @param owners the owners
	 * @return the metadata
	 */
	public AppliedMeta withOwners(Owner... owners) {
		return new AppliedMeta(this.namespace, this.name, this.uid, this.labels, this.annotations, List.of(owners),
				this.finalizers);
	}

	/**
	 * Returns a copy of this metadata whose finalizers are replaced by the given ones.
	 * The server keeps a deleted object until its finalizers are gone. Use a separate
	 * manager for finalizers, because a later apply with the same manager and without
	 * finalizers removes them.
	 * @param finalizers the finalizers
	 * @return the metadata
	 */
	public AppliedMeta withFinalizers(String... finalizers) {
		return new AppliedMeta(this.namespace, this.name, this.uid, this.labels, this.annotations, this.ownerReferences,
				List.of(finalizers));
	}

	/**
	 * Returns the key of the object.
	 * @return namespace and name
	 */
	public ResourceKey key() {
		return ResourceKey.of(this.namespace, this.name);
	}

	/**
	 * A reference to an owner.
	 *
	 * @param apiVersion API version of the owner
	 * @param kind kind of the owner
	 * @param name name of the owner
	 * @param uid uid of the owner
	 * @param controller whether the owner is the managing controller; {@code null} means
	 * no
	 * @param blockOwnerDeletion whether a foreground deletion of the owner waits until
	 * this object is deleted; {@code null} means no
	 */
	public record Owner(String apiVersion, String kind, String name, String uid, @Nullable Boolean controller,
			@Nullable Boolean blockOwnerDeletion) {

		/**
		 * Creates a reference to a mirrored object as the managing controller. The API
		 * version and the kind come from the annotation. Placeholders are not resolved,
		 * and properties that override the annotation are not used.
		 * @param owner a mirrored object whose type is annotated with
		 * {@link ReflectedResource}
		 * @return the reference
		 * @throws IllegalArgumentException if the type is not annotated, if the
		 * annotation has placeholders, or if the object has no uid
		 */
		public static Owner controller(Object owner) {
			ReflectedResource declared = owner.getClass().getAnnotation(ReflectedResource.class);
			if (declared == null) {
				throw new IllegalArgumentException(owner.getClass().getName()
						+ " has no @ReflectedResource, so its kind is not known; make the Owner with its constructor");
			}
			MirroredIdentity identity = MirroredIdentity.of(owner);
			String kind = declared.kind().isEmpty() ? owner.getClass().getSimpleName() : declared.kind();
			if (declared.apiVersion().contains("${") || kind.contains("${")) {
				throw new IllegalArgumentException("the @ReflectedResource of " + owner.getClass().getName()
						+ " has placeholders, which cannot be resolved here; make the Owner with its constructor");
			}
			return new Owner(declared.apiVersion(), kind, identity.key().name(), identity.uid(), true, true);
		}

	}

}
