package dev.reflector.sharding.membership;

import java.util.List;

import reactor.core.publisher.Mono;

/**
 * The Leases of the replicas of one group, on a server that all of them use.
 * Implementations are thread-safe, and time limits are set by the caller.
 *
 * @since 0.1.0
 */
public interface MemberStore {

	/**
	 * Who this replica is.
	 * @return a name that no other live replica of the group has
	 */
	String identity();

	/**
	 * Which group it is.
	 * @return namespace and group, human-readable
	 */
	String describe();

	/**
	 * Reads all Leases of the group as they are at one moment after the call: what was
	 * written before the call is in the answer. Never answered from a cache that may be
	 * behind.
	 * @return the Leases; an error when one of them cannot be understood
	 */
	Mono<List<MemberLease>> list();

	/**
	 * Creates the Lease of this replica.
	 * @param record what it says
	 * @return the Lease; an error when there is one already
	 */
	Mono<MemberLease> create(MemberRecord record);

}
