package dev.reflector.client.internal.write;

import java.util.Map;

import dev.reflector.cache.internal.store.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * What the server answered to the last writes of each object: the version, and to which
 * bytes. An apply of the same bytes to an object that still has this version would change
 * nothing.
 * <p>
 * Of two writes, the later one is the one that began after the other was answered. Writes
 * that overlap may be answered in any order: their versions decide then. When these have
 * no order, either, the last version is not known.
 */
final class LastAnswers {

	/**
	 * The largest number of remembered writes. Each costs a few hundred bytes of memory,
	 * and a forgotten one costs a request.
	 */
	private static final int MOST = 20_000;

	private static final String UNKNOWN = "";

	private final Map<Target, Answer> answers = new RecentlyUsed<>(MOST);

	private final Map<String, Last> versions = new RecentlyUsed<>(MOST);

	/** Counts what happens. */
	private long now;

	/**
	 * A write begins.
	 * @return when it began
	 */
	synchronized long begin() {
		return ++this.now;
	}

	/**
	 * Returns the version that the server returned when the same body was sent.
	 * @return the version, {@code null} when something else was sent last, or when the
	 * server has returned another version of the object since
	 */
	synchronized @Nullable String same(String uid, String manager, boolean status, Digest body) {
		Answer last = this.answers.get(new Target(uid, manager, status));
		return (last != null && last.version().equals(version(uid)) && last.body().equals(body)) ? last.version()
				: null;
	}

	/** The last version of an object that was answered, empty when none is known. */
	synchronized String version(String uid) {
		Last last = this.versions.get(uid);
		return (last != null) ? last.version() : UNKNOWN;
	}

	/**
	 * The server has answered.
	 * @param uid uid of the object
	 * @param begun when the write began
	 * @param version version of the object
	 */
	synchronized void answered(String uid, long begun, String version) {
		if (uid.isEmpty() || version.isEmpty()) {
			return;
		}
		Last last = this.versions.get(uid);
		if (last == null || begun > last.answered() || version.equals(last.version())
				|| ResourceVersions.isGreater(version, last.version())) {
			this.versions.put(uid, new Last(version, ++this.now));
		}
		else if (!ResourceVersions.isGreater(last.version(), version)) {
			this.versions.put(uid, new Last(UNKNOWN, ++this.now));
		}
	}

	/**
	 * The server has answered to an apply.
	 * @param uid uid of the object
	 * @param manager who has applied
	 * @param status whether it was the status
	 * @param body what was applied
	 * @param begun when the write began
	 * @param version version of the object
	 */
	synchronized void applied(String uid, String manager, boolean status, Digest body, long begun, String version) {
		answered(uid, begun, version);
		if (!version.isEmpty() && version.equals(version(uid))) {
			this.answers.put(new Target(uid, manager, status), new Answer(body, version));
		}
	}

	/**
	 * A deletion was sent. Nothing of the object is left out any more, although the
	 * mirror may still show it.
	 */
	synchronized void deleted(String uid) {
		this.versions.put(uid, new Last(UNKNOWN, ++this.now));
	}

	/**
	 * Forgets the last write of an object, because the state of the object is not known
	 * now.
	 */
	synchronized void forget(String uid, String manager, boolean status) {
		this.answers.remove(new Target(uid, manager, status));
	}

	private record Target(String uid, String manager, boolean status) {

	}

	private record Answer(Digest body, String version) {

	}

	/**
	 * The last version of an object.
	 *
	 * @param version the version
	 * @param answered when it was answered
	 */
	private record Last(String version, long answered) {

	}

}
