package dev.reflector.cache.source;

import reactor.core.Exceptions;

/**
 * An error of the Java virtual machine, such as too little memory, as an exception.
 * Reactor throws such errors instead of passing them on, so the subscriber would never be
 * notified. Wrapped in this exception, such an error ends the request, and the reflector
 * tries again later.
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
	 * Throws errors of the virtual machine. Other failures affect only the object at
	 * hand: exceptions, and errors such as a missing class, a missing method, or a stack
	 * overflow. Where such failures are caught, call this method first.
	 * @param failure what was caught
	 * @throws JvmFailureException when it is an error of the virtual machine, or has one
	 * as its cause
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
	 * Whether an error has passed through the code of a source, or of a source behind it.
	 * Used on threads that cannot otherwise know which source has thrown the error.
	 * @param source the source
	 * @param error the error
	 * @return whether a method of the class of one of these sources is in the stack trace
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
	 * Turns a failure into one that Reactor passes on.
	 * @param failure the failure
	 * @return the failure itself, or an exception with it as its cause
	 */
	public static Throwable passable(Throwable failure) {
		return Exceptions.isJvmFatal(failure) ? new JvmFailureException(failure) : failure;
	}

}
