package dev.reflector.cache.internal.snapshot;

import java.util.Map;

import dev.reflector.ResourceKey;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.PersistentMap;
import org.jspecify.annotations.Nullable;

/**
 * The view of a running reflector that the writer of its snapshot needs.
 *
 * @param <T> the type of the objects
 */
public interface CompletedStates<T> extends MarkedStates.Source<CompletedState<T>> {

	/** Whether the mirror holds all that the server has told until now. */
	boolean synced();

	/**
	 * Whether the mirror has reached a stored state.
	 * @param cursors the versions of that state, by namespace that is followed on its own
	 */
	boolean hasReached(Map<String, String> cursors);

	/** The objects of the mirror. */
	PersistentMap<ResourceKey, T> objects();

	/**
	 * This replica takes over from another: handlers begin with what has changed since.
	 * Additions that they are about to hear of are stored before.
	 * @param completed the state that those of the other replica have completed;
	 * {@code null} when nothing is known of it, and handlers begin with all objects
	 * @throws InterruptedException when the thread is interrupted
	 */
	void deliver(@Nullable CompletedObjects<T> completed) throws InterruptedException;

	/** Another application delivers: handlers are told nothing more. */
	void standBy();

	/** Whether the reflector is ending, and nothing is to be written any more. */
	boolean stopping();

}
