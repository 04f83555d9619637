package dev.reflector.cache.internal.loop;

import org.jspecify.annotations.Nullable;

/**
 * An event that may change the state of the list/watch loop.
 */
public sealed interface LoopSignal {

	/** The loop has been started. */
	record Started() implements LoopSignal {

	}

	/**
	 * The loop has been started with a mirror that was filled from a snapshot. The loop
	 * remembers the version of the snapshot.
	 */
	record Restored() implements LoopSignal {

	}

	/**
	 * A full state has been received by a list.
	 *
	 * @param paginated whether the server split the list into pages
	 */
	record Listed(boolean paginated) implements LoopSignal {

	}

	/** A full state has been received completely as the initial part of a watch. */
	record StreamedToEnd() implements LoopSignal {

	}

	/** The initial part of a watch is stuck: its end is no longer expected. */
	record StreamStuck() implements LoopSignal {

	}

	/**
	 * A request has failed.
	 *
	 * @param failure what went wrong
	 * @param firstPage whether no page of a list had arrived before the failure
	 * @param cause the exception of the request, or {@code null} if there is none
	 */
	record Failed(Failure failure, boolean firstPage, @Nullable Throwable cause) implements LoopSignal {

		Failed(Failure failure, boolean firstPage) {
			this(failure, firstPage, null);
		}

	}

	/**
	 * An established watch has delivered an error.
	 *
	 * @param failure the error
	 * @param windowOpen whether this is an internal error in the time window in which
	 * such errors do not lead to a new list
	 */
	record ErrorFrame(Failure failure, boolean windowOpen) implements LoopSignal {

		ErrorFrame(Failure failure) {
			this(failure, false);
		}

	}

	/**
	 * A change that was received has not reached the mirror (E-10).
	 *
	 * @param failure why the change was lost
	 */
	record Lost(Failure failure) implements LoopSignal {

	}

	/**
	 * The watch has ended without an error.
	 *
	 * @param brief whether the watch lasted less than a second
	 * @param empty whether the watch delivered no frame
	 * @param early whether the watch ended before its timeout, or the next watch must
	 * wait
	 */
	record Closed(boolean brief, boolean empty, boolean early) implements LoopSignal {

		Closed held() {
			return new Closed(this.brief, this.empty, true);
		}

	}

	/** The current watch ends soon, so it is time to open the next one. */
	record OverlapDue() implements LoopSignal {

	}

	/**
	 * The next watch has failed, or its versions cannot be compared with those of the
	 * current watch.
	 */
	record OverlapFailed() implements LoopSignal {

	}

	/** The server seems to serve the type now. */
	record TypeAppeared() implements LoopSignal {

	}

	/** The next watch can replace the current one without missing a change. */
	record OverlapComplete() implements LoopSignal {

	}

	/** The delay is over. */
	record DelayElapsed() implements LoopSignal {

	}

	/**
	 * A full state has been requested.
	 *
	 * @param byContent whether objects are compared by content, even where their versions
	 * are equal
	 * @param restarted whether a full state that is being read must be requested again,
	 * because it lacks objects
	 * @param newest whether the newest state is requested, to find out which of the known
	 * objects still exist
	 */
	record RelistRequested(boolean byContent, boolean restarted, boolean newest) implements LoopSignal {

		/**
		 * Creates a request that compares all objects by content, because the mirror may
		 * be wrong.
		 */
		public RelistRequested() {
			this(true, false, false);
		}

		/**
		 * Creates a request for the objects of slots that this replica mirrors from now
		 * on.
		 */
		public static RelistRequested ofAddedSlots() {
			return new RelistRequested(false, true, false);
		}

		/**
		 * Creates a request for the server's newest state, which decides about objects
		 * that listeners know and that are not in the mirror.
		 */
		public static RelistRequested ofNewestState() {
			return new RelistRequested(false, true, true);
		}

	}

	/** The user has requested a pause. */
	record PauseRequested() implements LoopSignal {

	}

	/** The user has requested to resume. */
	record ResumeRequested() implements LoopSignal {

	}

	/** The loop must end. */
	record StopRequested() implements LoopSignal {

	}

}
