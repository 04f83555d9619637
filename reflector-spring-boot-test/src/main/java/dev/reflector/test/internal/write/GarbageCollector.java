package dev.reflector.test.internal.write;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.store.ObjectRevision;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Deletes objects when their last owner is gone. If an owner waits until the objects that
 * it owns are deleted, completes the deletion of the owner after these objects. Runs
 * immediately after a deletion, on the thread that has deleted the object.
 *
 * @param writes the writes to all types
 */
record GarbageCollector(Writes writes) {

	private static final WriteOptions OPTIONS = WriteOptions.direct("kube-controller-manager");

	/**
	 * Called when an object was removed.
	 * @param object the last state of the object
	 */
	void gone(ObjectRevision object) {
		ownerIsGone(object.uid());
		if (!object.owners().isEmpty()) {
			object.tree()
				.path("metadata")
				.path("ownerReferences")
				.forEach((owner) -> release(object.namespace(), owner));
		}
	}

	/**
	 * Called when an object was marked for deletion but still exists.
	 * @param type the type of the object
	 * @param object the object
	 */
	void waiting(ServedType type, ObjectRevision object) {
		JsonNode metadata = object.tree().path("metadata");
		if (has(metadata, Deletion.ORPHAN)) {
			dependents(object.uid(), (dependent) -> disown(dependent, object.uid()));
			removeFinalizer(type, object, Deletion.ORPHAN);
		}
		else if (has(metadata, Deletion.FOREGROUND)) {
			dependents(object.uid(), (dependent) -> dependent.delete(Deletion.Policy.FOREGROUND));
			releaseOwner(type, object);
		}
	}

	private static boolean has(JsonNode metadata, String finalizer) {
		return metadata.path("finalizers")
			.valueStream()
			.anyMatch((present) -> finalizer.equals(present.stringValue("")));
	}

	private void dependents(String uid, Consumer<Dependent> action) {
		this.writes.store()
			.ownedBy(uid)
			.forEach((type, objects) -> objects
				.forEach((object) -> act(new Dependent(this.writes.of(type), object), action)));
	}

	private static void act(Dependent dependent, Consumer<Dependent> action) {
		try {
			action.accept(dependent);
		}
		catch (ApiFailure ex) {
			// another write has changed or deleted the object since it was read
		}
	}

	private void ownerIsGone(String uid) {
		dependents(uid, (dependent) -> {
			if (hasOtherOwner(dependent.object(), uid)) {
				disown(dependent, uid);
			}
			else {
				dependent.delete(Deletion.Policy.DEFAULT);
			}
		});
	}

	private boolean hasOtherOwner(ObjectRevision object, String gone) {
		for (JsonNode owner : object.tree().path("metadata").path("ownerReferences")) {
			String uid = Json.text(owner, "uid");
			String name = Json.text(owner, "name");
			if (!uid.equals(gone) && (this.writes.store().exists(uid, ObjectRevision.key(object.namespace(), name))
					|| this.writes.store().exists(uid, name))) {
				return true;
			}
		}
		return false;
	}

	private static void disown(Dependent dependent, String uid) {
		dependent.patch((object) -> {
			ObjectNode metadata = Json.child(object, "metadata");
			ArrayNode left = Json.MAPPER.createArrayNode();
			metadata.path("ownerReferences").forEach((owner) -> {
				if (!uid.equals(Json.text(owner, "uid"))) {
					left.add(owner);
				}
			});
			metadata.set("ownerReferences", left);
			MetadataRules.dropEmpty(metadata);
			return object;
		});
	}

	/**
	 * Completes the deletion of the owner to which a reference points, if the owner was
	 * waiting for the removal of an object that it owns.
	 */
	private void release(String namespace, JsonNode reference) {
		String name = Json.text(reference, "name");
		for (ServedType type : this.writes.store().types()) {
			for (String key : Set.of(ObjectRevision.key(namespace, name), name)) {
				ObjectRevision owner = this.writes.store().find(type, key);
				if (owner != null && owner.uid().equals(Json.text(reference, "uid"))) {
					JsonNode metadata = owner.tree().path("metadata");
					if (metadata.has("deletionTimestamp") && has(metadata, Deletion.FOREGROUND)) {
						releaseOwner(type, owner);
					}
				}
			}
		}
	}

	/**
	 * Completes the deletion of an owner, unless objects that it owns still block the
	 * deletion.
	 */
	private void releaseOwner(ServedType type, ObjectRevision owner) {
		boolean blocked = this.writes.store()
			.ownedBy(owner.uid())
			.values()
			.stream()
			.flatMap(List::stream)
			.anyMatch((object) -> blocks(object, owner.uid()));
		if (!blocked) {
			removeFinalizer(type, owner, Deletion.FOREGROUND);
		}
	}

	private static boolean blocks(ObjectRevision object, String uid) {
		return object.tree()
			.path("metadata")
			.path("ownerReferences")
			.valueStream()
			.anyMatch((owner) -> uid.equals(Json.text(owner, "uid"))
					&& owner.path("blockOwnerDeletion").asBoolean(false));
	}

	private void removeFinalizer(ServedType type, ObjectRevision object, String finalizer) {
		act(new Dependent(this.writes.of(type), object), (owner) -> owner.patch((content) -> {
			ObjectNode metadata = Json.child(content, "metadata");
			ArrayNode left = Json.MAPPER.createArrayNode();
			metadata.path("finalizers").forEach((present) -> {
				if (!finalizer.equals(present.stringValue(""))) {
					left.add(present);
				}
			});
			metadata.set("finalizers", left);
			MetadataRules.dropEmpty(metadata);
			return content;
		}));
	}

	/**
	 * An object with an owner, and the writes to its type.
	 *
	 * @param writes the writes to the object's type
	 * @param object the object
	 */
	private record Dependent(ResourceWrites writes, ObjectRevision object) {

		void delete(Deletion.Policy policy) {
			ObjectNode preconditions = Json.object().put("uid", this.object.uid());
			this.writes.delete(this.object.namespace(), this.object.name(), new Deletion(preconditions, policy, false));
		}

		void patch(UnaryOperator<ObjectNode> change) {
			this.writes.patch(this.object.namespace(), this.object.name(), false, change, OPTIONS);
		}

	}

}
