package dev.reflector.client.internal.write;

import java.util.List;
import java.util.Locale;

import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.write.WriteOperation;
import org.jspecify.annotations.Nullable;

/**
 * One call of the writer.
 *
 * @param operation the called method
 * @param type the written type
 * @param resource the collection
 * @param key the key of the object
 * @param uid the uid of the object, empty for any object with the name
 * @param manager the field manager, empty for a deletion
 * @param force whether to take over fields from other managers
 * @param body the sent body
 * @param conditional whether the body names the version that the object must have
 * @param deadline the time limit of the call
 * @param verbs the verbs that a role needs for this write
 */
record Write(WriteOperation operation, Class<?> type, ResourceType resource, ResourceKey key, String uid,
		String manager, boolean force, String body, boolean conditional, Deadline deadline, List<String> verbs) {

	/**
	 * Returns a copy of this write with the given plural, or this write if the plural is
	 * {@code null}.
	 */
	Write at(@Nullable String plural) {
		return (plural == null) ? this : new Write(this.operation, this.type, this.resource.withPlural(plural),
				this.key, this.uid, this.manager, this.force, this.body, this.conditional, this.deadline, this.verbs);
	}

	/**
	 * Returns a copy of this write with a version. The server carries out the copy only
	 * if the object has this version.
	 */
	Write ifVersion(String version) {
		return new Write(this.operation, this.type, this.resource, this.key, this.uid, this.manager, this.force,
				AppliedJson.withVersion(this.body, version), true, this.deadline, this.verbs);
	}

	boolean isStatus() {
		return this.operation == WriteOperation.STATUS;
	}

	/** Returns whether the write can be sent again if its response was lost. */
	boolean isRepeatable() {
		return !this.uid.isEmpty();
	}

	/**
	 * Returns a copy of this write for the request that gets its object from the server.
	 */
	Write reading() {
		return new Write(this.operation, this.type, this.resource, this.key, this.uid, this.manager, this.force, "",
				false, this.deadline, List.of("get"));
	}

	@Override
	public String toString() {
		return this.operation.name().toLowerCase(Locale.ROOT) + " of " + this.resource + " '" + this.key + "'";
	}

}
