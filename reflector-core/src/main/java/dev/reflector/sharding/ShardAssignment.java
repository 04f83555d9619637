package dev.reflector.sharding;

import java.util.Set;

/**
 * Says which slots a replica should own. Depends on nothing but its arguments, so that
 * all replicas come to the same answer. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ShardAssignment {

	/**
	 * The slots that are assigned.
	 * @return their number
	 */
	Slots slots();

	/**
	 * The slots that a replica should own.
	 * @param identity identity of the replica
	 * @param live identities of all live replicas, this one among them
	 * @return its slots
	 */
	DesiredSlots desired(String identity, Set<String> live);

}
