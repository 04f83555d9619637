package dev.reflector.cache.internal.delivery;

import java.util.concurrent.CompletableFuture;

import dev.reflector.PrintableText;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.DeliveryAttempts;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * A notification for a handler.
 *
 * @param <T> the type of the objects
 */
sealed interface Notification<T> {

	/**
	 * Calls the handler.
	 * @param handler the handler
	 * @param attempts receives the handler's attempts to handle a change
	 */
	void deliver(ResourceEventHandler<T> handler, DeliveryAttempts attempts);

	/**
	 * Whether the notification is about an object, so that it counts towards the capacity
	 * of the queue and the demand of a subscriber.
	 */
	default boolean isChange() {
		return key() != null;
	}

	/** Returns the change, or {@code null} if the notification is not about an object. */
	default @Nullable Change<T> change() {
		return null;
	}

	/**
	 * Returns the key of the object, or {@code null} if the notification is not about an
	 * object.
	 */
	default @Nullable ResourceKey key() {
		return null;
	}

	/** Returns the uid of the object, which may determine the object's slot. */
	default String uid(ResourceAccessor<T> accessor) {
		return "";
	}

	/**
	 * Returns the ownership under which the notification is delivered, or {@code null} if
	 * there is none.
	 */
	default @Nullable Ownership ownership() {
		return null;
	}

	/**
	 * Returns a copy of this notification with the ownership under which it is delivered.
	 */
	default Notification<T> by(Ownership ownership) {
		return this;
	}

	/** A change of the mirror. */
	record Changed<T>(Change<T> change) implements Notification<T> {

		@Override
		public void deliver(ResourceEventHandler<T> handler, DeliveryAttempts attempts) {
			handler.onChange(this.change, attempts);
		}

		@Override
		public ResourceKey key() {
			return this.change.key();
		}

		@Override
		public String uid(ResourceAccessor<T> accessor) {
			return this.change.uid(accessor);
		}

		@Override
		public @Nullable Ownership ownership() {
			return this.change.ownership();
		}

		@Override
		public Notification<T> by(Ownership ownership) {
			return new Changed<>(this.change.by(ownership));
		}

		@Override
		public String toString() {
			return this.change.type() + " " + this.change.key() + " at resource version "
					+ PrintableText.of(this.change.resourceVersion());
		}

	}

	/** An initial object of a handler (I-22, I-40). */
	record Stored<T>(ResourceKey key, T object, ResourceAccessor<T> accessor,
			@Nullable Ownership ownership) implements Notification<T> {

		@Override
		public String uid(ResourceAccessor<T> accessor) {
			return accessor.uid(this.object);
		}

		@Override
		public Notification<T> by(Ownership ownership) {
			return new Stored<>(this.key, this.object, this.accessor, ownership);
		}

		@Override
		public void deliver(ResourceEventHandler<T> handler, DeliveryAttempts attempts) {
			handler.onChange(change(), attempts);
		}

		@Override
		public Change<T> change() {
			return new Change<>(Change.Type.ADDED, this.key, this.object, null,
					this.accessor.resourceVersion(this.object), true, false, Change.Cause.LIST, this.ownership, null);
		}

		@Override
		public String toString() {
			return Change.Type.ADDED + " " + this.key + " of the initial list";
		}

	}

	/**
	 * The end of the first complete state.
	 *
	 * @param resourceVersion the version of the state
	 * @param beginning how often the handler had started over when this notification was
	 * queued
	 */
	record Synced<T>(String resourceVersion, int beginning) implements Notification<T> {

		@Override
		public void deliver(ResourceEventHandler<T> handler, DeliveryAttempts attempts) {
			handler.onSynced(this.resourceVersion);
		}

	}

	/**
	 * A mark. It is reached when all notifications before it have been delivered and the
	 * work that they have begun is done.
	 *
	 * @param reached completes when the mark is reached; exceptionally when the queue is
	 * dropped
	 */
	record Passed<T>(CompletableFuture<Void> reached) implements Notification<T> {

		@Override
		public void deliver(ResourceEventHandler<T> handler, DeliveryAttempts attempts) {
			this.reached.complete(null);
		}

	}

	/** The end of a pass, after which a full state will be requested again. */
	record PassEnded<T>(RelistReason reason, String message) implements Notification<T> {

		@Override
		public void deliver(ResourceEventHandler<T> handler, DeliveryAttempts attempts) {
			handler.onRelist(this.reason, this.message);
		}

	}

	/** A change of the state of the reflector. */
	record StateChanged<T>(ReflectorState previous, ReflectorState state, String reason) implements Notification<T> {

		StateChanged<T> then(StateChanged<T> next) {
			return new StateChanged<>(this.previous, next.state(), next.reason());
		}

		@Override
		public void deliver(ResourceEventHandler<T> handler, DeliveryAttempts attempts) {
			handler.onStateChange(this.previous, this.state, this.reason);
		}

	}

}
