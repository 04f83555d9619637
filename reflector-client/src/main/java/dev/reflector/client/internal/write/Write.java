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
 * @param operation what was called
 * @param type the type that is written
 * @param resource the collection
 * @param key key of the object
 * @param uid uid of the object that is meant, empty for whatever has the name
 * @param manager who writes, empty for a deletion
 * @param force whether to take fields over
 * @param body what is sent
 * @param conditional whether the body names the version that is changed
 * @param deadline until when the call may take
 * @param verbs the verbs that a role needs for it
 */
record Write(WriteOperation operation, Class<?> type, ResourceType resource, ResourceKey key, String uid,
		String manager, boolean force, String body, boolean conditional, Deadline deadline, List<String> verbs) {

	/** The same with the plural as far as it is known. */
	Write at(@Nullable String plural) {
		return (plural == null) ? this : new Write(this.operation, this.type, this.resource.withPlural(plural),
				this.key, this.uid, this.manager, this.force, this.body, this.conditional, this.deadline, this.verbs);
	}

	/** The same, if the object has a version. */
	Write ifVersion(String version) {
		return new Write(this.operation, this.type, this.resource, this.key, this.uid, this.manager, this.force,
				AppliedJson.withVersion(this.body, version), true, this.deadline, this.verbs);
	}

	boolean isStatus() {
		return this.operation == WriteOperation.STATUS;
	}

	/** Whether it can be sent again after its answer was lost. */
	boolean isRepeatable() {
		return !this.uid.isEmpty();
	}

	/** Gets the object that is meant. */
	Write reading() {
		return new Write(this.operation, this.type, this.resource, this.key, this.uid, this.manager, this.force, "",
				false, this.deadline, List.of("get"));
	}

	@Override
	public String toString() {
		return this.operation.name().toLowerCase(Locale.ROOT) + " of " + this.resource + " '" + this.key + "'";
	}

}
