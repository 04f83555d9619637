package dev.reflector.benchmark.server;

/**
 * The version of each object, which does not depend on the format.
 */
final class Versions {

	/** The first version. All later versions have the same number of digits. */
	private static final long FIRST = 1_000_000_000L;

	private final long[] versions;

	/** The newest version of all. */
	private long newest;

	Versions(int count) {
		this.versions = new long[count];
		reset();
	}

	/** Back to the first version of each object, as if nothing had changed. */
	synchronized void reset() {
		this.newest = FIRST;
		for (int i = 0; i < this.versions.length; i++) {
			this.versions[i] = ++this.newest;
		}
	}

	int count() {
		return this.versions.length;
	}

	synchronized long newest() {
		return this.newest;
	}

	synchronized long next() {
		return ++this.newest;
	}

	/** Changes an object. */
	synchronized void change(int index) {
		this.versions[index] = ++this.newest;
	}

	synchronized long of(int index) {
		return this.versions[index];
	}

}
