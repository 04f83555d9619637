package dev.reflector.cache.internal.snapshot;

import dev.reflector.PrintableText;
import dev.reflector.cache.snapshot.SnapshotException;

/**
 * Thrown when the stored state does not fit the reflector, and the options forbid the
 * reflector to start without it.
 */
public final class SnapshotMismatchException extends SnapshotException {

	private static final long serialVersionUID = 1L;

	SnapshotMismatchException(String reflector, String location, String reason) {
		super("The snapshot of reflector '" + reflector + "' in " + location + " is not used: "
				+ PrintableText.of(reason)
				+ ". Go back to what it was written with, or reset the snapshot and start again, or set "
				+ "'reflector.snapshot.on-mismatch' to 'relist'", null);
	}

}
