package dev.reflector.model;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.reflector.cache.source.SkippedObject;

/**
 * The writes that a listener must have received: readable writes that a watch had to
 * deliver.
 */
final class Deliveries {

	private final RecordingSource source;

	private final boolean claims;

	private final Set<String> unread = new HashSet<>();

	private final Set<String> unreadKeys = new HashSet<>();

	/** The number of unreadable objects without a name. Each may have been any object. */
	private int nameless;

	/**
	 * Creates the deliveries from the recorded requests.
	 * @param source the requests with their outcomes
	 * @param spoiled whether faults have made objects unreadable; the model already knows
	 * which objects it has written in an unreadable form
	 * @param claims whether the ranges that the reflector claims to have followed also
	 * count before the newest full state
	 */
	Deliveries(RecordingSource source, boolean spoiled, boolean claims) {
		this.source = source;
		this.claims = claims;
		if (spoiled) {
			source.skipped().forEach(this::unread);
		}
	}

	private void unread(SkippedObject object) {
		if (object.key() == null) {
			this.nameless++;
		}
		else {
			this.unread.add(Ledger.upsert(object.key().toString(), object.resourceVersion()));
			this.unreadKeys.add(object.key().toString());
		}
	}

	private boolean isDue(WrittenObjects.Written one) {
		String namespace = one.key().substring(0, one.key().indexOf('/'));
		String from = this.source.newestFullState(namespace);
		boolean recent = !from.isEmpty() && Versions.isAfter(one.version(), from);
		return recent || (this.claims && this.source.claims(namespace, one.version()));
	}

	/** The writes that must have been delivered and were not. */
	List<String> missing(List<WrittenObjects.Written> written, Set<String> delivered) {
		List<String> missing = new ArrayList<>();
		for (WrittenObjects.Written one : written) {
			if (!isDue(one)) {
				continue;
			}
			String upsert = Ledger.upsert(one.key(), one.version());
			if (one.upsert() && !delivered.contains(upsert) && !this.unread.contains(upsert)) {
				missing.add(one.toString());
			}
			// an object that was never readable is not in the mirror, so its deletion is
			// not delivered
			if (one.deletion() && !delivered.contains(Ledger.deletion(one.key(), one.version()))
					&& !this.unreadKeys.contains(one.key())) {
				missing.add(one.toString());
			}
		}
		return (missing.size() > this.nameless) ? missing : List.of();
	}

}
