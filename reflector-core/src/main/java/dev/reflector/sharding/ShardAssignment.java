package dev.reflector.sharding;

import java.util.Set;

/**
 * Decides which slots a replica should own. The result depends only on the arguments, so
 * that all replicas come to the same result. Thread-safe.
 *
 * @since 0.1.0
 */
public interface ShardAssignment {

	/**
	 * Returns the division of the collection into slots. This assignment divides the
	 * slots among the replicas.
	 * @return the division into slots
	 */
	Slots slots();

	/**
	 * Returns the slots that a replica should own.
	 * @param identity identity of the replica
	 * @param live identities of all live replicas, including this one
	 * @return the slots that the replica should own
	 */
	DesiredSlots desired(String identity, Set<String> live);

}
