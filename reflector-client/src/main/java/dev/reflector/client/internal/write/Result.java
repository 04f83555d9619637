package dev.reflector.client.internal.write;

import java.util.List;

import dev.reflector.write.WriteReport.Outcome;

/**
 * The result of a write.
 *
 * @param outcome the outcome of the write
 * @param uid the uid of the object, empty if it is not known
 * @param resourceVersion the version of the object, empty if it is not known
 * @param changes the paths that would change, in a dry run
 * @param afterDryRun whether the write depends on an object that does not exist, because
 * that object was created in a dry run
 */
record Result(Outcome outcome, String uid, String resourceVersion, List<String> changes, boolean afterDryRun) {

	static Result answered(Answered answer, boolean changed) {
		return new Result(changed ? Outcome.CHANGED : Outcome.UNCHANGED, answer.uid(), answer.resourceVersion(),
				List.of(), false);
	}

	static Result skipped(String uid, String resourceVersion) {
		return new Result(Outcome.SKIPPED, uid, resourceVersion, List.of(), false);
	}

	boolean dryRun() {
		return this.outcome == Outcome.DRY_RUN;
	}

}
