package dev.reflector.cache.informer;

/** Distinguishes calls made while the mirror is written from other calls. */
final class MirrorWrites {

	private MirrorWrites() {
	}

	/** Whether the caller is called by what writes the mirror, on any thread. */
	static boolean isWriting() {
		return StackWalker.getInstance()
			.walk((frames) -> frames.anyMatch((frame) -> frame.getClassName().equals(DeltaProcessor.class.getName())));
	}

}
