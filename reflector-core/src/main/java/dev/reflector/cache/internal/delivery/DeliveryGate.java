package dev.reflector.cache.internal.delivery;

import java.util.OptionalLong;
import java.util.function.Supplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.internal.store.InitialObjects;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether this process may deliver a notification now, and in which epoch. There
 * are three gates: one is always open, one is open for the leader of several replicas,
 * and one is open for the owner of a slot. Called by any thread, before each call of a
 * handler.
 * <p>
 * A notification that is taken from a queue is {@linkplain #admit admitted} in the epoch
 * in which it was queued, because the queue is emptied at the end of an epoch. The
 * notification is not delivered in a later epoch.
 *
 * @param <T> the type of the objects
 */
public abstract sealed class DeliveryGate<T> {

	/**
	 * Whether a handler may still be called with a change that was delivered.
	 * @param change a change that was delivered
	 * @return whether this process delivers the object now, in the epoch of the change
	 */
	public final boolean mayDeliver(Change<T> change) {
		return isCurrent(change.ownership());
	}

	/** Whether notifications under this ownership may be delivered now. */
	abstract boolean isCurrent(@Nullable Ownership ownership);

	/** Whether anything may be delivered now. If not, another replica delivers. */
	public boolean isOpen() {
		return true;
	}

	/**
	 * Returns a notification together with the ownership under which it may be delivered
	 * now. Called under the lock of the queue that it was taken from.
	 * @return the notification, or {@code null} if it must not be delivered
	 */
	@Nullable Notification<T> admit(Notification<T> notification) {
		return notification;
	}

	/**
	 * Whether a notification that was {@link #admit admitted} may still be delivered.
	 */
	final boolean isStillAdmitted(Notification<T> admitted) {
		return admitted.key() == null || isCurrent(admitted.ownership());
	}

	/** Whether a change with the given number is delivered to handlers. */
	boolean isHeard(Change<T> change, long number) {
		return true;
	}

	/**
	 * Whether a notification about an object may be put back into a queue, because the
	 * object's slot is still delivered.
	 */
	boolean hasBegun(Notification<T> notification) {
		return true;
	}

	/** Returns the objects of the mirror that a handler receives first when it joins. */
	InitialObjects<T> begun(InitialObjects<T> initial) {
		return initial;
	}

	/** Returns the objects that handlers receive. */
	DeliveredObjects<T> objects(Handlers<T> handlers, Indexer<T> indexer, RecoveredChanges<T> recovered) {
		return new AllObjects<>();
	}

	/**
	 * Whether this gate opens and closes for all objects at once, and is closed at first.
	 */
	public boolean takesTurns() {
		return false;
	}

	/**
	 * Whether this gate was opened with the given ownership, and has not been closed
	 * since then.
	 */
	public boolean isOpenedBy(Ownership term) {
		return false;
	}

	/**
	 * Opens this gate for all objects, as long as the given ownership lasts. Does nothing
	 * unless {@link #takesTurns()} is true.
	 */
	public void open(Ownership term) {
	}

	/**
	 * Closes this gate for all objects. Does nothing unless {@link #takesTurns()} is
	 * true.
	 */
	public void close() {
	}

	/**
	 * A gate that is always open.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class Always<T> extends DeliveryGate<T> {

		@Override
		boolean isCurrent(@Nullable Ownership ownership) {
			return true;
		}

	}

	/**
	 * A gate that admits a notification about an object only under an ownership. Each
	 * ownership has an epoch.
	 *
	 * @param <T> the type of the objects
	 */
	abstract static sealed class InEpochs<T> extends DeliveryGate<T> {

		/**
		 * Returns the ownership under which an object may be delivered now, or
		 * {@code null} if it may not be delivered.
		 */
		abstract @Nullable Ownership ownership(ResourceKey key, Notification<T> notification);

		@Override
		final @Nullable Notification<T> admit(Notification<T> notification) {
			ResourceKey key = notification.key();
			if (key == null) {
				return notification;
			}
			Ownership ownership = ownership(key, notification);
			return (ownership != null) ? notification.by(ownership) : null;
		}

	}

	/**
	 * A gate that is open while this replica leads, and only during the term for which
	 * the gate was opened.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class OfLeader<T> extends InEpochs<T> {

		private final Supplier<OptionalLong> epoch;

		/** The ownership of the term in which this replica has taken over. */
		private volatile @Nullable Ownership term;

		/**
		 * Creates a closed gate.
		 * @param epoch supplies the epoch in which this replica leads now, empty if it
		 * does not lead
		 */
		public OfLeader(Supplier<OptionalLong> epoch) {
			this.epoch = epoch;
		}

		@Override
		public boolean isOpen() {
			return isCurrent(this.term);
		}

		@Override
		boolean isCurrent(@Nullable Ownership ownership) {
			if (ownership == null || !ownership.equals(this.term)) {
				return false;
			}
			OptionalLong epoch = this.epoch.get();
			return epoch.isPresent() && epoch.getAsLong() == ownership.epoch();
		}

		@Override
		@Nullable Ownership ownership(ResourceKey key, Notification<T> notification) {
			return this.term;
		}

		@Override
		public boolean takesTurns() {
			return true;
		}

		@Override
		public boolean isOpenedBy(Ownership term) {
			return term.equals(this.term);
		}

		@Override
		public void open(Ownership term) {
			this.term = term;
		}

		@Override
		public void close() {
			this.term = null;
		}

	}

	/**
	 * A gate that is open for the objects of slots while this replica owns and delivers
	 * the slots.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class OfSlots<T> extends InEpochs<T> {

		private final DeliveredSlots<T> slots;

		/**
		 * Creates the gate.
		 * @param slots the slots that are delivered
		 */
		public OfSlots(DeliveredSlots<T> slots) {
			this.slots = slots;
		}

		@Override
		InitialObjects<T> begun(InitialObjects<T> initial) {
			return initial.where(this.slots::hasBegun);
		}

		@Override
		DeliveredObjects<T> objects(Handlers<T> handlers, Indexer<T> indexer, RecoveredChanges<T> recovered) {
			return new SlotHandlers<>(this.slots, handlers, indexer, recovered);
		}

		@Override
		boolean isCurrent(@Nullable Ownership ownership) {
			return ownership != null && this.slots.isDelivered(ownership.slot(), ownership.epoch());
		}

		@Override
		@Nullable Ownership ownership(ResourceKey key, Notification<T> notification) {
			return this.slots.ownership(key, notification.uid(this.slots.accessor()));
		}

		@Override
		boolean isHeard(Change<T> change, long number) {
			return this.slots.isHeard(change, number);
		}

		@Override
		boolean hasBegun(Notification<T> notification) {
			ResourceKey key = notification.key();
			return key == null || this.slots.hasBegun(this.slots.slotOf(key, notification.uid(this.slots.accessor())));
		}

	}

}
