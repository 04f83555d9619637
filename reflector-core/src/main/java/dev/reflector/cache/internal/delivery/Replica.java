package dev.reflector.cache.internal.delivery;

import java.util.Objects;
import java.util.function.BooleanSupplier;

import dev.reflector.cache.handler.Change;
import org.jspecify.annotations.Nullable;

/**
 * What this process may deliver, as one of several replicas.
 *
 * @param <T> the type of the objects
 * @param leads whether a call of a handler may begin now
 * @param slots the slots that it delivers, {@code null} for the whole collection
 */
public record Replica<T>(BooleanSupplier leads, @Nullable DeliveredSlots<T> slots) {

	/**
	 * A replica that delivers everything, at any time.
	 * @param <T> the type of the objects
	 * @return the replica
	 */
	public static <T> Replica<T> alone() {
		return new Replica<>(() -> true, null);
	}

	/**
	 * Whether a call of a handler with a change could begin now.
	 * @param change a change that was delivered
	 * @return whether this process still delivers its object, by the same right
	 */
	public boolean mayDeliver(Change<T> change) {
		DeliveredSlots<T> slots = this.slots;
		return this.leads.getAsBoolean()
				&& (slots == null || Objects.equals(change.ownership(), slots.ownership(change)));
	}

}
