package dev.reflector.client.internal.write;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * What the server answered to the last writes of each object: the version, and to which
 * bytes. An apply of the same bytes to an object that still has this version would change
 * nothing.
 */
final class LastAnswers {

	/** Each costs a few hundred bytes, and one that is forgotten costs a request. */
	private static final int MOST = 20_000;

	private final Map<Target, Answer> answers = new RecentlyUsed<>(MOST);

	private final Map<String, String> versions = new RecentlyUsed<>(MOST);

	/**
	 * The version that was answered when the same was sent.
	 * @return the version, {@code null} when something else was sent last, or when
	 * another version of the object has been answered since
	 */
	synchronized @Nullable String same(String uid, String manager, boolean status, Digest body) {
		Answer last = this.answers.get(new Target(uid, manager, status));
		return (last != null && last.version().equals(this.versions.get(uid)) && last.body().equals(body))
				? last.version() : null;
	}

	/** The last version of an object that was answered, empty when there is none. */
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
	 * Nothing of the object is left out any more, although the mirror may still show it.
	 */
	synchronized void deleted(String uid) {
		this.versions.remove(uid);
	}

	/** The state of the object is not known now. */
	synchronized void forget(String uid, String manager, boolean status) {
		this.answers.remove(new Target(uid, manager, status));
	}

	private record Target(String uid, String manager, boolean status) {

	}

	private record Answer(Digest body, String version) {

	}

}
