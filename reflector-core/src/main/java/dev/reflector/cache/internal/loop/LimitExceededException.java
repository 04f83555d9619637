package dev.reflector.cache.internal.loop;

/**
 * Thrown to end a request that brings more than the mirror may hold.
 */
final class LimitExceededException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final transient Failure failure;

	LimitExceededException(Failure failure) {
		super(failure.message(), null, false, false);
		this.failure = failure;
	}

	Failure failure() {
		return this.failure;
	}

}
