package dev.reflector.cache.internal.snapshot;

import java.util.concurrent.CompletableFuture;

/**
 * The view of a running reflector that the writer of its snapshot needs.
 *
 * @param <T> the type of the objects
 */
public interface CompletedStates<T> {

	/**
	 * A state of the mirror at a version that the server has named, once every handler
	 * has returned from all changes up to it.
	 * @param scope the number of the namespace that is followed on its own, 0 for all
	 * @return completes with the state; exceptionally when there is none now
	 */
	CompletableFuture<CompletedState<T>> completed(int scope);

	/**
	 * The version that the mirror has reached, to see whether there is something new.
	 * @param scope the number of the namespace
	 * @return the version, empty before the first list
	 */
	String version(int scope);

	/** Whether the reflector is ending, and nothing is to be written any more. */
	boolean stopping();

}
