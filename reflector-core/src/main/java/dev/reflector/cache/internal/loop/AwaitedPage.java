package dev.reflector.cache.internal.loop;

import java.util.concurrent.atomic.AtomicLong;

/**
 * A page of a list that has been asked for, which may be all of it.
 *
 * @param askedAt when
 * @param bytes how many bytes the source says have come of it
 */
record AwaitedPage(long askedAt, AtomicLong bytes) {

	/** None that anyone has asked for. */
	static final AwaitedPage NONE = askedFor(0);

	static AwaitedPage askedFor(long now) {
		return new AwaitedPage(now, new AtomicLong());
	}

	/** What there is to say while it has not come to its end. */
	String soFar() {
		long bytes = this.bytes.get();
		// a source need not count them
		return (bytes == 0) ? "nothing of it is known to have come" : bytes + " bytes of it have come";
	}

}
