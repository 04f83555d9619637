package dev.reflector.cache.internal.snapshot;

import java.util.ArrayList;
import java.util.List;

import dev.reflector.cache.snapshot.SnapshotHeader;

/**
 * Decides what a stored snapshot can be used for.
 */
final class SnapshotRules {

	private SnapshotRules() {
	}

	/**
	 * Compares a stored header with the header of the reflector. The servers in the
	 * headers are not compared.
	 * @param stored the stored header
	 * @param present the header of the reflector
	 * @return what the snapshot can be used for, and the reason
	 */
	static Verdict of(SnapshotHeader stored, SnapshotHeader present) {
		if (stored.format() != present.format()) {
			return new Verdict(Use.NONE,
					"its format is " + stored.format() + ", and only " + present.format() + " can be read");
		}
		if (!stored.resourceType().equals(present.resourceType())) {
			return new Verdict(Use.NONE,
					"it is of " + stored.resourceType() + ", and the reflector mirrors " + present.resourceType());
		}
		List<String> changed = new ArrayList<>();
		note(changed, "declared fields", stored.shape().equals(present.shape()));
		note(changed, "label selector", stored.labelSelector().equals(present.labelSelector()));
		note(changed, "field selector", stored.fieldSelector().equals(present.fieldSelector()));
		note(changed, "namespaces", stored.namespaces().equals(present.namespaces()));
		return changed.isEmpty() ? new Verdict(Use.RESUME, "")
				: new Verdict(Use.COMPARE, "changed since it was written: " + String.join(", ", changed));
	}

	private static void note(List<String> changed, String what, boolean same) {
		if (!same) {
			changed.add(what);
		}
	}

	/** What a snapshot can be used for. */
	enum Use {

		/** A watch can continue from the snapshot. */
		RESUME,

		/**
		 * A watch cannot continue from the snapshot, but a list can be compared with it.
		 */
		COMPARE,

		/** The snapshot cannot be used. */
		NONE

	}

	/**
	 * The result of the comparison.
	 *
	 * @param use what the snapshot can be used for
	 * @param reason why a watch cannot resume from the snapshot, human-readable; empty if
	 * it can
	 */
	record Verdict(Use use, String reason) {

	}

}
