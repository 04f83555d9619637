package dev.reflector.test.internal.merge;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;

import dev.reflector.cache.source.Status;
import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.fields.FieldPath;
import dev.reflector.test.internal.fields.FieldSet;

/**
 * Says which fields an apply would have to take from whom.
 */
final class Conflicts {

	private Conflicts() {
	}

	/**
	 * The answer to an apply that would take fields from others.
	 * @param conflicts the fields, by those who own them
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
