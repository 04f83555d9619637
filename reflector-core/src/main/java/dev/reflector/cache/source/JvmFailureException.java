package dev.reflector.cache.source;

import reactor.core.Exceptions;

/**
 * Wraps an error of the Java virtual machine, such as too little memory. Reactor throws
 * such an error instead of passing it on, so the subscriber would never be notified.
 * Wrapped in this exception, the error ends the request, and the reflector tries again
 * later.
 *
 * @since 0.1.0
 */
public final class JvmFailureException extends RuntimeException {

	private static final int MAX_DEPTH = 20;

	private static final long serialVersionUID = 1L;

	private JvmFailureException(Throwable error) {
		super(error.toString(), error);
	}

	/**
	 * Throws the failure, wrapped, if it is an error of the virtual machine. Code that
	 * catches all failures of a single object must call this method first. Other failures
	 * affect only that object: exceptions, and errors such as a missing class, a missing
	 * method, or a stack overflow.
	 * @param failure the failure that was caught
	 * @throws JvmFailureException when the failure or one of its causes is an error of
	 * the virtual machine
	 */
	public static void rethrow(Throwable failure) {
		Throwable current = failure;
		for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
			if (current instanceof JvmFailureException known) {
				throw known;
			}
			if (current instanceof VirtualMachineError && !(current instanceof StackOverflowError)) {
				throw new JvmFailureException(current);
			}
			current = current.getCause();
		}
	}

	/**
	 * Whether an error has passed through the code of a source or its delegates. Used
	 * where it is otherwise unknown which source has thrown the error.
	 * @param source the source
	 * @param error the error
	 * @return whether the stack trace contains a method of one of these sources
	 */
	public static boolean isOf(ListerWatcher<?> source, Throwable error) {
		ListerWatcher<?> current = source;
		while (current != null) {
			for (Class<?> type = current.getClass(); isOwn(type); type = type.getSuperclass()) {
				String name = type.getName();
				for (StackTraceElement frame : error.getStackTrace()) {
					if (frame.getClassName().equals(name) || frame.getClassName().startsWith(name + "$")) {
						return true;
					}
				}
			}
			current = (current instanceof DelegatingListerWatcher<?> before) ? before.delegate() : null;
		}
		return false;
	}

	private static boolean isOwn(Class<?> type) {
		return type != Object.class && type != DelegatingListerWatcher.class;
	}

	/**
	 * Wraps a failure if Reactor would not pass it on.
	 * @param failure the failure
	 * @return the failure itself, or an exception whose cause is the failure
	 */
	public static Throwable passable(Throwable failure) {
		return Exceptions.isJvmFatal(failure) ? new JvmFailureException(failure) : failure;
	}

}
