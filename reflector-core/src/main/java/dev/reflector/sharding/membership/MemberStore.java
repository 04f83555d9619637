package dev.reflector.sharding.membership;

import java.util.List;

import reactor.core.publisher.Mono;

/**
 * Stores the Leases of the replicas of one group, on a server that all of them use.
 * Implementations are thread-safe. The caller limits the time of each request.
 *
 * @since 0.1.0
 */
public interface MemberStore {

	/**
	 * Returns the identity of this replica.
	 * @return a name that no other live replica of the group has
	 */
	String identity();

	/**
	 * Describes the group.
	 * @return namespace and group, human-readable
	 */
	String describe();

	/**
	 * Reads all Leases of the group as they are at one moment after the call, so the
	 * result contains everything that was written before the call. Must not use a cache
	 * that may be behind.
	 * @return the Leases; an error if one of them cannot be read
	 */
	Mono<List<MemberLease>> list();

	/**
	 * Creates the Lease of this replica.
	 * @param record the content of the Lease
	 * @return the Lease; an error if it exists already
	 */
	Mono<MemberLease> create(MemberRecord record);

}
