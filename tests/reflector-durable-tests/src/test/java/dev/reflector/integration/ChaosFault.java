package dev.reflector.integration;

import java.util.Random;

/**
 * A fault of one of several replicas, or of the server.
 */
enum ChaosFault {

	/** The process is killed. */
	KILL(3, true),

	/** The process is asked to end. */
	TERMINATE(3, true),

	/** The process is stopped and continues. */
	STOP(3, true),

	/** The replica's connections to the server end, and new ones are refused. */
	CUT(3, true),

	/** All data to and from the replica is delayed. */
	DELAY(3, true),

	/** No data passes, and no connection ends. */
	SILENCE(2, true),

	/** Requests of the replica arrive, and all answers come late. */
	LATE_ANSWERS(2, true),

	/** Requests of the replica arrive, and the answers never come. */
	LOST_ANSWERS(3, true),

	/** The server forgets its history. */
	COMPACT(2, false),

	/** The server ends all watches. */
	CLOSE_WATCHES(1, false),

	/** The server is restored to an earlier state, and is away during the restore. */
	RESTORE(2, false),

	/** The server is restored to an earlier state, and only its watches end. */
	RESTORE_UNSEEN(1, false);

	private final int weight;

	private final boolean ofReplica;

	ChaosFault(int weight, boolean ofReplica) {
		this.weight = weight;
		this.ofReplica = ofReplica;
	}

	/** Whether the fault happens to one replica. */
	boolean isOfReplica() {
		return this.ofReplica;
	}

	/** Whether no replica may start soon after the fault. */
	boolean isRestore() {
		return this == RESTORE || this == RESTORE_UNSEEN;
	}

	static ChaosFault any(Random random) {
		int number = random.nextInt(sum());
		for (ChaosFault fault : values()) {
			number -= fault.weight;
			if (number < 0) {
				return fault;
			}
		}
		throw new IllegalStateException();
	}

	private static int sum() {
		int sum = 0;
		for (ChaosFault fault : values()) {
			sum += fault.weight;
		}
		return sum;
	}

}
