package dev.reflector.cache.internal.loop;

/** Thrown to end a request whose result exceeds a limit of the mirror. */
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
