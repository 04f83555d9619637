package dev.reflector.cache.internal.snapshot;

/**
 * The identity of a cluster, as its server states it. The head of a snapshot contains
 * this identity as a text, in the form of
 * {@link dev.reflector.cache.source.ListerWatcher#serverIdentity()}.
 *
 * @param uid identifies the cluster, empty when it is not known
 * @param url the URL of the server, empty when it is not known
 */
record ServerName(String uid, String url) {

	private static final String UID = "uid:";

	private static final String URL = "url:";

	/**
	 * Parses a text. A text that contains neither a uid nor a URL is itself the uid.
	 * @param text the text
	 */
	static ServerName of(String text) {
		if (text.startsWith(URL)) {
			return new ServerName("", text.substring(URL.length()));
		}
		if (!text.startsWith(UID)) {
			return new ServerName(text, "");
		}
		// a URL contains no space, but a uid may contain some
		int url = text.lastIndexOf(' ' + URL);
		return (url < 0) ? new ServerName(text.substring(UID.length()), "")
				: new ServerName(text.substring(UID.length(), url), text.substring(url + 1 + URL.length()));
	}

	boolean hasUid() {
		return !this.uid.isEmpty();
	}

	/** Whether neither uid nor URL is known. */
	boolean isUnknown() {
		return this.uid.isEmpty() && this.url.isEmpty();
	}

	/**
	 * Returns a copy of this name with the given uid, if this name has a URL but no uid;
	 * otherwise returns this name.
	 */
	ServerName orUid(String other) {
		return hasUid() || isUnknown() ? this : new ServerName(other, this.url);
	}

	/**
	 * Compares this cluster with another one, by uid if both uids are known, and
	 * otherwise by URL. If a cluster is unknown, both count as the same. Two different
	 * URLs decide nothing, because a cluster may have several URLs.
	 * @param other the other cluster
	 * @return whether both are the same cluster, according to uid and URL
	 */
	Verdict compare(ServerName other) {
		if (isUnknown() || other.isUnknown()) {
			return Verdict.SAME;
		}
		if (hasUid() && other.hasUid()) {
			return this.uid.equals(other.uid) ? Verdict.SAME : Verdict.OTHER;
		}
		return (!this.url.isEmpty() && this.url.equals(other.url)) ? Verdict.SAME : Verdict.UNDECIDED;
	}

	@Override
	public String toString() {
		String url = this.url.isEmpty() ? "" : URL + this.url;
		return hasUid() ? UID + this.uid + (url.isEmpty() ? "" : ' ' + url) : url;
	}

	/** The result of a comparison. */
	enum Verdict {

		SAME, OTHER,

		/** Only the objects of the server can show whether both are the same. */
		UNDECIDED

	}

}
