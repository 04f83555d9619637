package dev.reflector.sharding;

/**
 * The slots that a replica <em>owns</em> at this moment, the only ones it may deliver.
 * Thread-safe; the questions are cheap, take no lock and allocate nothing.
 *
 * @since 0.1.0
 */
public interface ShardOwnership {

	/** What {@link #epoch} says of a slot that this replica does not own. */
	long NOT_OWNED = -1;

	/**
	 * All slots.
	 * @return their number
	 */
	Slots slots();

	/**
	 * The epoch in which this replica owns a slot. Check before each delivery, and give
	 * the answer to systems that can refuse an old one: what is in progress when a
	 * process is paused continues after the pause.
	 * @param slot the slot, counted from 0
	 * @return the epoch, larger than those of all earlier owners of the slot;
	 * {@link #NOT_OWNED} when this replica does not own the slot now, by its own clock
	 */
	long epoch(int slot);

	/**
	 * Whether this replica owns a slot now, by its own clock.
	 * @param slot the slot, counted from 0
	 * @return whether it does
	 */
	default boolean isOwner(int slot) {
		return epoch(slot) != NOT_OWNED;
	}

}
