package dev.reflector.leaderelection;

import reactor.core.publisher.Mono;

/**
 * The object on the server for which the replicas compete. Each write names the version
 * that it replaces, and fails if the object has changed since then. So only one of two
 * concurrent writers succeeds. Implementations are thread-safe. The caller limits the
 * time of each request.
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
		 * Returns the name of the version, which changes with each write.
		 * @return the version
		 */
		String resourceVersion();

		/**
		 * Replaces this version.
		 * @param record the new content of the lock
		 * @return the next version; an error if this version is no longer the current one
		 */
		Mono<Version> update(LeaderElectionRecord record);

	}

}
