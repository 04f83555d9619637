package dev.reflector.client.internal.write;

import java.util.Map;

import dev.reflector.cache.internal.store.ResourceVersions;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the responses to the last writes of each object: the returned version, and
 * the sent bytes. If the object still has this version, applying the same bytes again
 * would change nothing.
 * <p>
 * A write is later than another if it began after the response to the other. If two
 * writes overlap, their responses may come in any order. The write with the greater
 * version then counts as the later one. If the versions cannot be compared, the last
 * version is not known.
 */
final class LastAnswers {

	/**
	 * The largest number of remembered writes. Each takes a few hundred bytes of memory.
	 * After a write was forgotten, the next equal write costs a request.
	 */
	private static final int MOST = 20_000;

	private static final String UNKNOWN = "";

	private final Map<Target, Answer> answers = new RecentlyUsed<>(MOST);

	private final Map<String, Last> versions = new RecentlyUsed<>(MOST);

	/**
	 * The logical time: it is incremented with each begin of a write and with each
	 * response.
	 */
	private long now;

	/**
	 * Notes that a write begins.
	 * @return the logical time at which it begins
	 */
	synchronized long begin() {
		return ++this.now;
	}

	/**
	 * Returns the version that the server returned when the given body was applied.
	 * @return the version, or {@code null} if the last apply of this manager had another
	 * body, or if the server has since returned another version of the object
	 */
	synchronized @Nullable String same(String uid, String manager, boolean status, Digest body) {
		Answer last = this.answers.get(new Target(uid, manager, status));
		return (last != null && last.version().equals(version(uid)) && last.body().equals(body)) ? last.version()
				: null;
	}

	/**
	 * Returns the version of an object in the last response, or the empty string if this
	 * version is not known.
	 */
	synchronized String version(String uid) {
		Last last = this.versions.get(uid);
		return (last != null) ? last.version() : UNKNOWN;
	}

	/**
	 * Returns the version of an object in the last response, if this response came before
	 * a write began. Otherwise, returns the empty string.
	 * @param uid the uid of the object
	 * @param begun the result of {@link #begin()} for the write
	 */
	synchronized String version(String uid, long begun) {
		Last last = this.versions.get(uid);
		return (last != null && last.answered() < begun) ? last.version() : UNKNOWN;
	}

	/**
	 * Notes the response to a write.
	 * @param uid the uid of the object
	 * @param begun the result of {@link #begin()} for this write
	 * @param version the version of the object in the response
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
	 * Notes the response to an apply.
	 * @param uid the uid of the object
	 * @param manager the field manager
	 * @param status whether the status was applied
	 * @param body the digest of the applied body
	 * @param begun the result of {@link #begin()} for this write
	 * @param version the version of the object in the response
	 */
	synchronized void applied(String uid, String manager, boolean status, Digest body, long begun, String version) {
		answered(uid, begun, version);
		if (!version.isEmpty() && version.equals(version(uid))) {
			this.answers.put(new Target(uid, manager, status), new Answer(body, version));
		}
	}

	/**
	 * Notes that a deletion was sent. From now on, no write to the object is skipped,
	 * even if the mirror still contains the object.
	 */
	synchronized void deleted(String uid) {
		this.versions.put(uid, new Last(UNKNOWN, ++this.now));
	}

	/**
	 * Forgets the last write of a manager to an object, because the current state of the
	 * object is not known.
	 */
	synchronized void forget(String uid, String manager, boolean status) {
		this.answers.remove(new Target(uid, manager, status));
	}

	/**
	 * Forgets the last writes of a manager to all objects, because a write to an object
	 * whose uid is not known may have been carried out.
	 */
	synchronized void forgetAll(String manager, boolean status) {
		this.answers.keySet().removeIf((target) -> target.manager().equals(manager) && target.status() == status);
	}

	private record Target(String uid, String manager, boolean status) {

	}

	private record Answer(Digest body, String version) {

	}

	/**
	 * The last version of an object.
	 *
	 * @param version the version
	 * @param answered the logical time of the response
	 */
	private record Last(String version, long answered) {

	}

}
