package dev.reflector.client.internal.http;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Searches an exception and its causes.
 */
final class Causes {

	/**
	 * The largest number of causes that are searched. There is a limit, because causes
	 * may form a cycle.
	 */
	private static final int MAX_DEPTH = 20;

	private Causes() {
	}

	static <X extends Throwable> @Nullable X find(Throwable failure, Class<X> type) {
		Throwable found = first(failure, type::isInstance);
		return (found != null) ? type.cast(found) : null;
	}

	static @Nullable Throwable first(Throwable failure, Predicate<Throwable> matching) {
		Throwable current = failure;
		for (int depth = 0; current != null && depth < MAX_DEPTH; depth++) {
			if (matching.test(current)) {
				return current;
			}
			current = current.getCause();
		}
		return null;
	}

}
