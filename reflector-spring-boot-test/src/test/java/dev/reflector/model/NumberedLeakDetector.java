package dev.reflector.model;

import java.util.concurrent.atomic.AtomicReference;

import io.netty.util.ResourceLeakDetector;

/**
 * A leak detector that notes of whatever is made what went on then. Netty reports no two
 * leaks that read the same, and so the second one of a line would be lost without it. It
 * is Netty that makes it, by the name that a system property has.
 *
 * @param <T> type of what may be lost
 */
public final class NumberedLeakDetector<T> extends ResourceLeakDetector<T> {

	private static final AtomicReference<String> present = new AtomicReference<>("nothing in particular");

	public NumberedLeakDetector(Class<?> type, int samplingInterval) {
		super(type, samplingInterval);
	}

	/** Netty wants this one as well. */
	public NumberedLeakDetector(Class<?> type, int samplingInterval, long maxActive) {
		this(type, samplingInterval);
	}

	/** Notes what goes on from now on, which never went on before. */
	static void goesOn(String what) {
		present.set(what);
	}

	@Override
	protected Object getInitialHint(String resourceType) {
		return present.get();
	}

}
