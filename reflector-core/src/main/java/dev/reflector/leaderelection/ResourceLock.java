package dev.reflector.leaderelection;

import reactor.core.publisher.Mono;

/**
 * The object on the server for which the replicas compete. Each write names the version
 * that it replaces, and fails when the object has changed since, so that one of two
 * writers fails. Implementations are thread-safe, and time limits are set by the caller.
 *
 * @since 0.1.0
 */
public interface ResourceLock {

	/**
	 * Returns the identity of this replica.
	 * @return a name that no other replica has
	 */
	String identity();

	/**
	 * Describes the object.
	 * @return namespace and name, human-readable
	 */
	String describe();

	/**
	 * Reads the lock.
	 * @return the lock as it is now, empty when there is none
	 */
	Mono<Version> get();

	/**
	 * Creates the lock.
	 * @param record the content of the lock
	 * @return the lock as it was created; an error when the lock exists already
	 */
	Mono<Version> create(LeaderElectionRecord record);

	/**
	 * One version of the lock.
	 */
	interface Version {

		/**
		 * Returns the content of the lock in this version.
		 * @return the record
		 */
		LeaderElectionRecord record();

		/**
		 * Returns the name of the version, which differs after each write.
		 * @return the version
		 */
		String resourceVersion();

		/**
		 * Replaces this version.
		 * @param record the new content of the lock
		 * @return the next version; an error when this is no longer the current one
		 */
		Mono<Version> update(LeaderElectionRecord record);

	}

}
