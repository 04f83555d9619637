package dev.reflector.cache.internal.snapshot;

/**
 * Names the cluster of a snapshot or of a server. The head of a snapshot has it as the
 * text of {@link dev.reflector.cache.source.ListerWatcher#serverIdentity()}.
 *
 * @param uid identifies the cluster, empty when it is not known
 * @param url the URL of the server, empty when it is not known
 */
record ServerName(String uid, String url) {

	private static final String UID = "uid:";

	private static final String URL = "url:";

	/**
	 * Parses a text. A text that names neither a uid nor a URL counts as a uid.
	 * @param text the text
	 */
	static ServerName of(String text) {
		if (text.startsWith(URL)) {
			return new ServerName("", text.substring(URL.length()));
		}
		if (!text.startsWith(UID)) {
			return new ServerName(text, "");
		}
		// a URL has no spaces, whatever the uid has
		int url = text.lastIndexOf(' ' + URL);
		return (url < 0) ? new ServerName(text.substring(UID.length()), "")
				: new ServerName(text.substring(UID.length(), url), text.substring(url + 1 + URL.length()));
	}

	boolean hasUid() {
		return !this.uid.isEmpty();
	}

	/** Whether nothing at all is known. */
	boolean isUnknown() {
		return this.uid.isEmpty() && this.url.isEmpty();
	}

	/** Returns this name, with the uid of another name if it has none. */
	ServerName orUid(String other) {
		return hasUid() || isUnknown() ? this : new ServerName(other, this.url);
	}

	/**
	 * Compares the cluster with another. A uid and a URL are never compared with each
	 * other.
	 * @param other the other
	 * @return whether both are the same
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

		/** Uid and URL do not decide; only the objects of the server can. */
		UNDECIDED

	}

}
