package dev.reflector.cache.handler;

/**
 * The ownership under which a replica delivers a change, if several replicas divide the
 * objects among themselves or only their leader delivers. If a listener writes to another
 * system, that system can use the epoch to refuse outdated writes: it refuses a smaller
 * epoch than the largest that it has received for the same slot. Outdated writes are
 * possible, because a process can be paused during a call. The call continues later, when
 * the slot may already have another owner.
 *
 * @param owner the identity of the replica
 * @param slot the number of the object's slot, counted from 0; {@link #WHOLE} if a leader
 * delivers all objects
 * @param epoch the epoch in which the replica owns the slot, or leads; larger than the
 * epochs of all earlier owners
 * @since 0.1.0
 */
public record Ownership(String owner, int slot, long epoch) {

	/** The number of the only slot if a leader delivers all objects. */
	public static final int WHOLE = 0;

}
