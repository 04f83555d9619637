package dev.reflector.cache.internal.loop;

/**
 * An event that may change the state of the list/watch loop.
 */
public sealed interface LoopSignal {

	/** The loop has been started. */
	record Started() implements LoopSignal {

	}

	/**
	 * The loop has been started, and the mirror was filled from a snapshot of the version
	 * that the loop remembers.
	 */
	record Restored() implements LoopSignal {

	}

	/**
	 * A full state has been received by a list.
	 *
	 * @param paginated whether the server split it
	 */
	record Listed(boolean paginated) implements LoopSignal {

	}

	/** The initial part of a watch has been received to its end. */
	record StreamedToEnd() implements LoopSignal {

	}

	/** The end of the initial part of a watch is no longer expected. */
	record StreamStuck() implements LoopSignal {

	}

	/**
	 * The request has failed.
	 *
	 * @param failure what went wrong
	 * @param firstPage whether it was the first page of a list, or no list
	 */
	record Failed(Failure failure, boolean firstPage) implements LoopSignal {

	}

	/**
	 * An established watch has delivered an error.
	 *
	 * @param failure the error
	 * @param windowOpen whether an internal error does not cost a new list now
	 */
	record ErrorFrame(Failure failure, boolean windowOpen) implements LoopSignal {

		ErrorFrame(Failure failure) {
			this(failure, false);
		}

	}

	/**
	 * A change that was received has not reached the mirror (E-10).
	 *
	 * @param failure what has happened
	 */
	record Lost(Failure failure) implements LoopSignal {

	}

	/**
	 * The watch has ended without an error.
	 *
	 * @param brief whether it lasted less than a second
	 * @param empty whether it delivered nothing
	 * @param early whether it ended before its timeout was over, or the next watch has to
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

	/** The next watch has failed, or cannot be compared with the current one. */
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
	 * A full state is asked for.
	 *
	 * @param anew whether objects are compared by content, even where their versions are
	 * equal
	 * @param restarted whether a full state that is being read does not count, because it
	 * lacks objects
	 */
	record RelistRequested(boolean anew, boolean restarted) implements LoopSignal {

		/** Compares all by content: it is asked for where the mirror is doubted. */
		public RelistRequested() {
			this(true, false);
		}

	}

	/** The user asks to pause. */
	record PauseRequested() implements LoopSignal {

	}

	/** The user asks to resume. */
	record ResumeRequested() implements LoopSignal {

	}

	/** The loop must end. */
	record StopRequested() implements LoopSignal {

	}

}
