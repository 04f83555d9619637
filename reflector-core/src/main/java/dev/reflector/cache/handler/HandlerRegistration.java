package dev.reflector.cache.handler;

import java.time.Duration;
import java.util.concurrent.CompletionStage;

import dev.reflector.cache.config.DeliverySettings;

/**
 * The registration of a handler with a reflector. It lasts until it is removed, also
 * while the reflector is stopped. All methods may be called from any thread, the
 * handler's own included, and none of them blocks.
 *
 * @since 0.1.0
 */
public interface HandlerRegistration {

	/**
	 * Whether the handler has handled all objects of the first complete state, or of the
	 * mirror when it joined later; an object on which it failed counts as handled. Never
	 * goes back to {@code false}.
	 * @return whether the handler has synced; {@code false} when it was removed before
	 * that
	 */
	boolean hasSynced();

	/**
	 * Completes when {@link #hasSynced()} becomes true. Dependent actions without an
	 * executor run on the handler's thread.
	 * @return a stage that completes when the handler has synced; it completes with a
	 * {@link java.util.concurrent.CancellationException} when the handler is removed
	 * before
	 */
	CompletionStage<Void> synced();

	/**
	 * How often the handler receives all objects again.
	 * @return the period that is in force, zero for never
	 */
	Duration resyncPeriod();

	/**
	 * Removes the handler: the changes that wait for it are dropped, no new ones are
	 * queued, and a call in progress completes. Does nothing when it is removed already.
	 * @return completes when the handler is no longer called: at once unless a call is in
	 * progress
	 */
	CompletionStage<Void> remove();

	/**
	 * Removes the handler once it has handled the changes that wait for it: no new ones
	 * are queued, and those that are not handled within
	 * {@link DeliverySettings#drainTimeout()} are dropped. A call that is still in
	 * progress then is interrupted, and not waited for when it has not returned two
	 * seconds later. The same as {@link #remove()} while the reflector does not run.
	 * @return completes when the handler is no longer called, or when its call is no
	 * longer waited for
	 */
	CompletionStage<Void> drain();

	/**
	 * Whether it would be a deadlock to wait now for the handler's last call. This is so
	 * if that call itself would wait: the handler is the caller, or it has called
	 * {@link System#exit(int)}.
	 * @return {@code true} if the handler's call in progress would wait for itself
	 */
	boolean isEndedFromWithin();

}
