package dev.reflector.sharding.membership;

import reactor.core.publisher.Mono;

/**
 * One version of the Lease of a replica, as it was read from the server.
 *
 * @since 0.1.0
 */
public interface MemberLease {

	/**
	 * Whose Lease it is.
	 * @return identity of the replica
	 */
	String identity();

	/**
	 * Name of the version: a number that grows with each write to the server.
	 * @return the version
	 */
	String resourceVersion();

	/**
	 * What the Lease says in this version.
	 * @return the record
	 */
	MemberRecord record();

	/**
	 * Replaces this version.
	 * @param record what the Lease says from now on
	 * @return the next version; an error when this is no longer the current one
	 */
	Mono<MemberLease> update(MemberRecord record);

	/**
	 * Deletes the Lease in this version.
	 * @return completes when it is deleted; an error when this is no longer the current
	 * version
	 */
	Mono<Void> delete();

}
