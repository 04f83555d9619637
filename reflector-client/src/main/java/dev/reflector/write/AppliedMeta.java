package dev.reflector.write;

import java.util.List;
import java.util.Map;

import dev.reflector.ReflectedResource;
import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;

/**
 * The metadata of an applied object: it identifies the object, and has the metadata that
 * the application owns. {@link #of(Object)} identifies a mirrored object, which is never
 * created. {@link #named(String, String)} identifies any object of the name, which may be
 * created.
 * <p>
 * A component that is {@code null} is not sent, and then the server removes what this
 * manager applied before. An empty component is sent.
 *
 * @param namespace the namespace, {@code null} for a cluster-scoped object
 * @param name the name
 * @param uid the uid of the object, {@code null} for any object of the name
 * @param labels labels that are owned, or {@code null}
 * @param annotations annotations that are owned, or {@code null}
 * @param ownerReferences owners, or {@code null}
 * @param finalizers finalizers, or {@code null}
 * @since 0.1.0
 */
public record AppliedMeta(@Nullable String namespace, String name, @Nullable String uid,
		@Nullable Map<String, String> labels, @Nullable Map<String, String> annotations,
		@Nullable List<Owner> ownerReferences, @Nullable List<String> finalizers) {

	/**
	 * Copies the collections.
	 * @throws IllegalArgumentException when name or uid are empty
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
	 * Returns the metadata of a mirrored object. A write with this metadata carries the
	 * uid, so it never creates an object: if the object was deleted since, the write
	 * fails with an {@link ObjectGoneException}.
	 * @param metadata the {@code metadata} of the mirrored object, of any type that has
	 * accessors {@code name} and {@code uid}, and {@code namespace} unless its objects
	 * are cluster-scoped
	 * @return the metadata
	 * @throws IllegalArgumentException when the metadata has no name or no uid; the
	 * message says what to declare
	 */
	public static AppliedMeta of(Object metadata) {
		MirroredIdentity identity = MirroredIdentity.ofMetadata(metadata);
		return named(identity.key().namespace(), identity.key().name()).withUid(identity.uid());
	}

	/**
	 * Returns the metadata of an object that may not exist yet. If no object has this
	 * name, a write with this metadata creates one.
	 * @param namespace the namespace, {@code null} or empty for a cluster-scoped object
	 * @param name the name
	 * @return the metadata
	 * @throws IllegalArgumentException when the name is empty
	 */
	public static AppliedMeta named(@Nullable String namespace, String name) {
		return new AppliedMeta(namespace, name, null, null, null, null, null);
	}

	private AppliedMeta withUid(String uid) {
		return new AppliedMeta(this.namespace, this.name, uid, this.labels, this.annotations, this.ownerReferences,
				this.finalizers);
	}

	/**
	 * Returns this metadata with labels that the application owns.
	 * @param labels the labels
	 * @return the metadata
	 */
	public AppliedMeta withLabels(Map<String, String> labels) {
		return new AppliedMeta(this.namespace, this.name, this.uid, labels, this.annotations, this.ownerReferences,
				this.finalizers);
	}

	/**
	 * Returns this metadata with annotations that the application owns.
	 * @param annotations the annotations
	 * @return the metadata
	 */
	public AppliedMeta withAnnotations(Map<String, String> annotations) {
		return new AppliedMeta(this.namespace, this.name, this.uid, this.labels, annotations, this.ownerReferences,
				this.finalizers);
	}

	/**
	 * Returns this metadata with owners. When all owners are gone, the server deletes the
	 * object.
	 * @param owners the owners
	 * @return the metadata
	 */
	public AppliedMeta withOwners(Owner... owners) {
		return new AppliedMeta(this.namespace, this.name, this.uid, this.labels, this.annotations, List.of(owners),
				this.finalizers);
	}

	/**
	 * Returns this metadata with finalizers. The server keeps a deleted object until its
	 * finalizers are gone. Use a separate manager for finalizers, because any later apply
	 * of the same manager without them removes them.
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
	 * @param controller whether it is the managing controller, {@code null} for no
	 * @param blockOwnerDeletion whether a deletion of the owner in the foreground waits
	 * for the object, {@code null} for no
	 */
	public record Owner(String apiVersion, String kind, String name, String uid, @Nullable Boolean controller,
			@Nullable Boolean blockOwnerDeletion) {

		/**
		 * Creates a reference to a mirrored object as the managing controller. API
		 * version and kind are those of the annotation. Properties are not read here,
		 * neither for placeholders nor for overrides of the annotation.
		 * @param owner a mirrored object, whose type is annotated with
		 * {@link ReflectedResource}
		 * @return the reference
		 * @throws IllegalArgumentException when the type is not annotated, or with
		 * placeholders, or the object has no uid
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
