package dev.reflector.cache.handler;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import dev.reflector.cache.config.DeliverySettings;

/**
 * The registration of a handler with a reflector. It lasts until the handler is removed,
 * even while the reflector is stopped. All methods may be called from any thread,
 * including the handler's own, and none of them blocks.
 *
 * @since 0.1.0
 */
public interface HandlerRegistration {

	/**
	 * Whether the handler has handled all objects of the first complete state. If the
	 * handler was added later, whether it has handled all objects that were in the mirror
	 * at that time. An object counts as handled even if the handler failed on it. Once
	 * {@code true}, the result stays {@code true}.
	 * @return whether the handler has synced; {@code false} when it was removed before it
	 * had synced
	 */
	boolean hasSynced();

	/**
	 * Returns a stage that completes when {@link #hasSynced()} becomes {@code true}.
	 * Dependent actions without an executor run on the handler's thread.
	 * @return the stage; it completes with a
	 * {@link java.util.concurrent.CancellationException} when the handler is removed
	 * before it has synced
	 */
	CompletionStage<Void> synced();

	/**
	 * Returns the period after which the handler receives all objects again.
	 * @return the effective period, zero for never
	 */
	Duration resyncPeriod();

	/**
	 * Removes the handler. The changes in its queue are dropped, no new ones are queued,
	 * and a call in progress completes. Does nothing when the handler is already removed.
	 * @return a stage that completes when the handler is no longer called: at once unless
	 * a call is in progress
	 */
	CompletionStage<Void> remove();

	/**
	 * Removes the handler after it has handled the changes in its queue. No new changes
	 * are queued, and changes that are not handled within
	 * {@link DeliverySettings#drainTimeout()} are dropped. If a call of the handler is
	 * still in progress after this time, the call is interrupted. Two seconds later, the
	 * returned stage completes even if the call has not returned. While the reflector
	 * does not run, this method does the same as {@link #remove()}.
	 * @return a stage that completes when the handler is no longer called, or two seconds
	 * after its call was interrupted
	 */
	CompletionStage<Void> drain();

	/**
	 * Whether the caller would cause a deadlock if it waited for the handler's call in
	 * progress. This is so if the caller runs within that call, or if that call has
	 * called {@link System#exit(int)}.
	 * @return {@code true} if waiting would be a deadlock
	 */
	boolean isEndedFromWithin();

}
