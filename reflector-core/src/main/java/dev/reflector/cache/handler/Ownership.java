package dev.reflector.cache.handler;

/**
 * The slot and epoch by which a replica delivers a change, when several replicas divide
 * the objects among them. A system to which a listener writes can refuse a write whose
 * epoch is smaller than one that it has seen for the same slot. This protects it when a
 * process is paused during the call of a listener: the call may continue after the slot
 * has another owner.
 *
 * @param owner the identity of the replica
 * @param slot the slot of the object, counted from 0
 * @param epoch the epoch in which the replica owns the slot, larger than those of all
 * earlier owners
 * @since 0.1.0
 */
public record Ownership(String owner, int slot, long epoch) {

}
