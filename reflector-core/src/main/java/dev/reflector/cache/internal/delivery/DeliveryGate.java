package dev.reflector.cache.internal.delivery;

import java.util.function.BooleanSupplier;

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
 *
 * @param <T> the type of the objects
 */
public abstract sealed class DeliveryGate<T> {

	/**
	 * Whether a call of a handler with a change could begin now.
	 * @param change a change that was delivered
	 * @return whether this process delivers the object of the change now and, if slots
	 * are delivered, in the epoch of the change
	 */
	public abstract boolean mayDeliver(Change<T> change);

	/** Whether anything may be delivered now. Otherwise another replica does it. */
	boolean isOpen() {
		return true;
	}

	/**
	 * Returns a notification with the ownership by which it may be delivered now.
	 * @return the notification, {@code null} when it may not be delivered
	 */
	@Nullable Notification<T> admit(Notification<T> notification) {
		return notification;
	}

	/**
	 * Whether a notification that was {@link #admit admitted} may still be delivered.
	 */
	boolean isStillAdmitted(Notification<T> admitted) {
		return !(admitted instanceof Notification.Changed<T> changed) || mayDeliver(changed.change());
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

	/**
	 * Everything may be delivered, at any time.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class Always<T> extends DeliveryGate<T> {

		@Override
		public boolean mayDeliver(Change<T> change) {
			return true;
		}

	}

	/**
	 * Everything may be delivered while this replica leads.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class OfLeader<T> extends DeliveryGate<T> {

		private final BooleanSupplier leads;

		/**
		 * Creates the gate.
		 * @param leads whether this replica leads now
		 */
		public OfLeader(BooleanSupplier leads) {
			this.leads = leads;
		}

		@Override
		public boolean mayDeliver(Change<T> change) {
			return isOpen();
		}

		@Override
		boolean isOpen() {
			return this.leads.getAsBoolean();
		}

		@Override
		public boolean takesTurns() {
			return true;
		}

	}

	/**
	 * The objects of slots may be delivered while this replica owns the slots.
	 *
	 * @param <T> the type of the objects
	 */
	public static final class OfSlots<T> extends DeliveryGate<T> {

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
		public boolean mayDeliver(Change<T> change) {
			Ownership ownership = change.ownership();
			return ownership != null && ownership.equals(this.slots.ownership(change));
		}

		@Override
		@Nullable Notification<T> admit(Notification<T> notification) {
			ResourceKey key = notification.key();
			if (key == null) {
				return notification;
			}
			Ownership ownership = this.slots.ownership(key, notification.uid(this.slots.accessor()));
			return (ownership != null) ? notification.by(ownership) : null;
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
