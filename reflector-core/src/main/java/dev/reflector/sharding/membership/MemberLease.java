package dev.reflector.sharding.membership;

import reactor.core.publisher.Mono;

/**
 * One version of the Lease of a replica, as it was read from the server.
 *
 * @since 0.1.0
 */
public interface MemberLease {

	/**
	 * Returns the identity of the replica.
	 * @return the identity
	 */
	String identity();

	/**
	 * Returns the resourceVersion, a number that grows with each write to the server.
	 * @return the version
	 */
	String resourceVersion();

	/**
	 * Returns the content of the Lease in this version.
	 * @return the record
	 */
	MemberRecord record();

	/**
	 * Replaces this version.
	 * @param record the new content of the Lease
	 * @return the next version; an error if this version is no longer the current one
	 */
	Mono<MemberLease> update(MemberRecord record);

	/**
	 * Deletes the Lease in this version.
	 * @return a publisher that completes when the Lease is deleted; an error if this
	 * version is no longer the current one
	 */
	Mono<Void> delete();

}
