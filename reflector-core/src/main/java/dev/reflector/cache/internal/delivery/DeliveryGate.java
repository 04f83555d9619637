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
 * Decides whether this process may deliver something now, and in which epoch: always, as
 * the leader of several replicas, or as the owner of a slot. Called by any thread, before
 * each call of a handler.
 * <p>
 * What is taken from a queue is {@linkplain #admit admitted} in the epoch in which it was
 * queued, because the queue is emptied at the end of an epoch. A later epoch does not
 * deliver it.
 *
 * @param <T> the type of the objects
 */
public abstract sealed class DeliveryGate<T> {

	/**
	 * Whether a call of a handler with a change could begin now.
	 * @param change a change that was delivered
	 * @return whether this process delivers its object now, in the epoch of the change
	 */
	public final boolean mayDeliver(Change<T> change) {
		return isCurrent(change.ownership());
	}

	/** Whether what is delivered by an ownership may be delivered now. */
	abstract boolean isCurrent(@Nullable Ownership ownership);

	/** Whether anything may be delivered now. Otherwise another replica does it. */
	public boolean isOpen() {
		return true;
	}

	/**
	 * A notification as it may be delivered now, with the ownership by which it is.
	 * Called under the lock of the queue that it was taken from.
	 * @return {@code null} when it may not be delivered
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

	/** Whether a change with a number is delivered to handlers. */
	boolean isHeard(Change<T> change, long number) {
		return true;
	}

	/** Whether an object in the queue of a handler is delivered. */
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
	 * Whether this gate opens and closes for everything at once, and is closed at first.
	 */
	public boolean takesTurns() {
		return false;
	}

	/** Whether it was opened by an ownership, and not closed since. */
	public boolean isOpenedBy(Ownership term) {
		return false;
	}

	/** Everything may be delivered from now on by an ownership, while it lasts. */
	public void open(Ownership term) {
	}

	/** Nothing may be delivered from now on. */
	public void close() {
	}

	/**
	 * Everything may be delivered, at any time.
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
	 * What is delivered has an owner, in epochs.
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
	 * Everything may be delivered while this replica leads, in the term in which it has
	 * taken over.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class OfLeader<T> extends InEpochs<T> {

		private final Supplier<OptionalLong> epoch;

		/** The ownership of the term in which it has taken over. */
		private volatile @Nullable Ownership term;

		/**
		 * Creates the gate, closed.
		 * @param epoch the epoch in which this replica leads now, empty when it does not
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
	 * The objects of slots may be delivered while this replica owns the slots.
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
