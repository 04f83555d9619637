package dev.reflector.test.internal.merge;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

import dev.reflector.cache.source.Status;
import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.fields.FieldPath;
import dev.reflector.test.internal.fields.FieldSet;

/**
 * Describes the fields that an apply would have to take from other managers.
 */
final class Conflicts {

	private Conflicts() {
	}

	/**
	 * Returns the failure for an apply that would take fields from other managers.
	 * @param conflicts the fields, by their managers
	 * @return the failure
	 */
	static ApiFailure failure(SortedMap<Manager, FieldSet> conflicts) {
		List<Status.Cause> causes = new ArrayList<>();
		List<String> lines = new ArrayList<>();
		conflicts.forEach((manager, fields) -> {
			lines.add("conflicts with " + manager + ":");
			for (FieldPath path : fields.paths()) {
				causes.add(new Status.Cause("FieldManagerConflict", "conflict with " + manager, path.toString()));
				lines.add("- " + path);
			}
		});
		String message = (causes.size() == 1)
				? "Apply failed with 1 conflict: " + causes.get(0).message() + ": " + causes.get(0).field()
				: "Apply failed with " + causes.size() + " conflicts: " + String.join("\n", lines);
		return ApiFailure.applyConflict(message, causes);
	}

}
