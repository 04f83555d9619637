package dev.reflector.client.internal.write;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * Remembers the last writes of each object: the bytes that were sent and the version that
 * the server returned. An apply of the same bytes to an object that still has this
 * version would change nothing.
 */
final class LastAnswers {

	/**
	 * The largest number of remembered writes. Each costs a few hundred bytes of memory,
	 * and a forgotten one costs a request.
	 */
	private static final int MOST = 20_000;

	private final Map<Target, Answer> answers = new RecentlyUsed<>(MOST);

	private final Map<String, String> versions = new RecentlyUsed<>(MOST);

	/**
	 * Returns the version that the server returned when the same body was sent.
	 * @return the version, {@code null} when something else was sent last, or when the
	 * server has returned another version of the object since
	 */
	synchronized @Nullable String same(String uid, String manager, boolean status, Digest body) {
		Answer last = this.answers.get(new Target(uid, manager, status));
		return (last != null && last.version().equals(this.versions.get(uid)) && last.body().equals(body))
				? last.version() : null;
	}

	/**
	 * Returns the last version of an object that the server returned, empty when there is
	 * none.
	 */
	synchronized String version(String uid) {
		return this.versions.getOrDefault(uid, "");
	}

	synchronized void answered(String uid, String version) {
		if (!uid.isEmpty() && !version.isEmpty()) {
			this.versions.put(uid, version);
		}
	}

	synchronized void applied(String uid, String manager, boolean status, Digest body, String version) {
		answered(uid, version);
		if (!uid.isEmpty() && !version.isEmpty()) {
			this.answers.put(new Target(uid, manager, status), new Answer(body, version));
		}
	}

	/**
	 * Forgets the writes of a deleted object, so that no write to it is skipped, although
	 * the mirror may still show it.
	 */
	synchronized void deleted(String uid) {
		this.versions.remove(uid);
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

}
