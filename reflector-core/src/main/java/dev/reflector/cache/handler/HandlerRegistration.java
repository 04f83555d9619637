package dev.reflector.cache.handler;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import dev.reflector.cache.config.DeliverySettings;

/**
 * The tie between a handler and a reflector. It lasts until it is removed: stopping the
 * reflector only interrupts it. All methods may be called from any thread, the handler's
 * own included, and none of them blocks.
 *
 * @since 0.1.0
 */
public interface HandlerRegistration {

	/**
	 * Whether the handler has handled all that was in the first complete state, or in the
	 * mirror when it joined later (rules I-21 and I-47). Never goes back to
	 * {@code false}.
	 * @return whether it has; {@code false} when it was removed before
	 */
	boolean hasSynced();

	/**
	 * The same as something to wait for. What is chained to it without an executor runs
	 * on the handler's thread.
	 * @return completes when {@link #hasSynced()} becomes true; completes with a
	 * {@link java.util.concurrent.CancellationException} when the handler is removed
	 * before
	 */
	CompletionStage<Void> synced();

	/**
	 * How often the handler hears all objects again.
	 * @return the period that is in force, zero for never (rule I-31)
	 */
	Duration resyncPeriod();

	/**
	 * Removes the handler: what waits for it is dropped, nothing new is queued, a call in
	 * progress completes (rule I-43). Does nothing when it is removed already.
	 * @return completes when the handler is not called any more: at once unless a call is
	 * in progress
	 */
	CompletionStage<Void> remove();

	/**
	 * Removes the handler once it has handled what waits for it: nothing new is queued,
	 * and what is not handled within {@link DeliverySettings#drainTimeout()} is dropped.
	 * A call that still goes on then is interrupted, and not waited for when it has not
	 * returned two seconds later. The same as {@link #remove()} while the reflector does
	 * not run.
	 * @return completes when the handler is not called any more, or its call is not
	 * waited for
	 */
	CompletionStage<Void> drain();

	/**
	 * Whether who waits here for the end of the handler would wait for ever, because the
	 * handler waits for him: it is the handler that is calling, or it has called
	 * {@link System#exit(int)}.
	 * @return whether it is the handler's call that waits
	 */
	boolean isEndedFromWithin();

}
