package dev.reflector.sharding;

/**
 * The slots that a replica <em>owns</em> at this moment. The replica may deliver only
 * these slots. Thread-safe; all methods are cheap, take no lock and allocate nothing.
 *
 * @since 0.1.0
 */
public interface ShardOwnership {

	/** The value of {@link #epoch} for a slot that this replica does not own. */
	long NOT_OWNED = -1;

	/**
	 * Returns the division of the collection into slots.
	 * @return the division into slots
	 */
	Slots slots();

	/**
	 * Returns the epoch in which this replica owns a slot. Check the epoch before each
	 * delivery. Also pass it to systems that can reject an old epoch: a process that was
	 * paused continues its work in progress after the pause, even if another replica owns
	 * the slot by then.
	 * @param slot the slot, counted from 0
	 * @return the epoch, larger than those of all earlier owners of the slot;
	 * {@link #NOT_OWNED} when this replica does not own the slot now, by its own clock
	 */
	long epoch(int slot);

	/**
	 * Whether this replica owns a slot now, by its own clock.
	 * @param slot the slot, counted from 0
	 * @return whether this replica owns the slot
	 */
	default boolean isOwner(int slot) {
		return epoch(slot) != NOT_OWNED;
	}

}
