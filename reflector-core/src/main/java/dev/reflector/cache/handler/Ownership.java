package dev.reflector.cache.handler;

/**
 * The slot and epoch by which a replica delivers a change, when only the leader of
 * several replicas delivers, or several divide the objects among them. A system that is
 * written to can refuse what comes with a smaller epoch than it has seen before for the
 * same slot: a call that was running when its process was paused may continue after the
 * slot has got another owner.
 *
 * @param owner the identity of the replica
 * @param slot the slot of the object, counted from 0; {@link #WHOLE} where a leader
 * delivers all objects
 * @param epoch the epoch in which the replica owns the slot, or leads; larger than those
 * of all earlier owners
 * @since 0.1.0
 */
public record Ownership(String owner, int slot, long epoch) {

	/** The only slot, where a leader delivers all objects. */
	public static final int WHOLE = 0;

}
