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
 * @param key key of the object
 * @param uid uid of the object, empty for any object of the name
 * @param manager the field manager, empty for a deletion
 * @param force whether to take fields over
 * @param body the sent body
 * @param conditional whether the body names the version to change
 * @param deadline the time limit of the call
 * @param verbs the verbs that a role needs for this write
 */
record Write(WriteOperation operation, Class<?> type, ResourceType resource, ResourceKey key, String uid,
		String manager, boolean force, String body, boolean conditional, Deadline deadline, List<String> verbs) {

	/** Returns this write with the plural, if it is known. */
	Write at(@Nullable String plural) {
		return (plural == null) ? this : new Write(this.operation, this.type, this.resource.withPlural(plural),
				this.key, this.uid, this.manager, this.force, this.body, this.conditional, this.deadline, this.verbs);
	}

	/** Returns this write on the condition that the object has a version. */
	Write ifVersion(String version) {
		return new Write(this.operation, this.type, this.resource, this.key, this.uid, this.manager, this.force,
				AppliedJson.withVersion(this.body, version), true, this.deadline, this.verbs);
	}

	boolean isStatus() {
		return this.operation == WriteOperation.STATUS;
	}

	/** Whether the write can be sent again after its response was lost. */
	boolean isRepeatable() {
		return !this.uid.isEmpty();
	}

	/** Returns the write that gets the same object. */
	Write reading() {
		return new Write(this.operation, this.type, this.resource, this.key, this.uid, this.manager, this.force, "",
				false, this.deadline, List.of("get"));
	}

	@Override
	public String toString() {
		return this.operation.name().toLowerCase(Locale.ROOT) + " of " + this.resource + " '" + this.key + "'";
	}

}
