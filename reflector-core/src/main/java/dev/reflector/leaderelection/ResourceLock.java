package dev.reflector.leaderelection;

import reactor.core.publisher.Mono;

/**
 * The object on the server that the replicas compete for. Each write names the version
 * that it replaces, and fails when the object has changed since: so of two writers, one
 * fails. Implementations are thread-safe, and time limits are set by the caller.
 *
 * @since 0.1.0
 */
public interface ResourceLock {

	/**
	 * Who competes for the lock.
	 * @return a name that no other replica has
	 */
	String identity();

	/**
	 * Which object it is.
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
	 * @param record what it says
	 * @return the lock as it was created; an error when there is one already
	 */
	Mono<Version> create(LeaderElectionRecord record);

	/**
	 * One version of the lock.
	 */
	interface Version {

		/**
		 * What the lock says in this version.
		 * @return the record
		 */
		LeaderElectionRecord record();

		/**
		 * Name of the version, different after each write.
		 * @return the version
		 */
		String resourceVersion();

		/**
		 * Replaces this version.
		 * @param record what the lock says from now on
		 * @return the next version; an error when this is no longer the current one
		 */
		Mono<Version> update(LeaderElectionRecord record);

	}

}
