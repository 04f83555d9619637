package dev.reflector.model;

import java.util.concurrent.atomic.AtomicReference;

import io.netty.util.ResourceLeakDetector;

/**
 * A leak detector that records, for each allocated buffer, the history that was running.
 * Netty does not report a leak twice with the same text. Without this, a second leak of
 * the same line would not be reported. Netty creates the detector from a class name in a
 * system property.
 *
 * @param <T> type of what may be lost
 */
public final class NumberedLeakDetector<T> extends ResourceLeakDetector<T> {

	private static final AtomicReference<String> present = new AtomicReference<>("nothing in particular");

	public NumberedLeakDetector(Class<?> type, int samplingInterval) {
		super(type, samplingInterval);
	}

	/** Netty also needs this constructor. */
	public NumberedLeakDetector(Class<?> type, int samplingInterval, long maxActive) {
		this(type, samplingInterval);
	}

	/** Sets the text for buffers that are allocated from now on. It must be a new one. */
	static void goesOn(String what) {
		present.set(what);
	}

	@Override
	protected Object getInitialHint(String resourceType) {
		return present.get();
	}

}
