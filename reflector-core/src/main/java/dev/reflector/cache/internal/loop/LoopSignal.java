package dev.reflector.cache.internal.loop;

/**
 * What can happen to the list/watch loop.
 */
public sealed interface LoopSignal {

	/** The loop has been started, or resumed without a state to go on from. */
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

	/** The end of the initial part of a watch is not to be expected any more. */
	record StreamStuck() implements LoopSignal {

	}

	/**
	 * The request has failed.
	 *
	 * @param failure how
	 * @param firstPage whether it was the first page of a list, or no list
	 */
	record Failed(Failure failure, boolean firstPage) implements LoopSignal {

	}

	/**
	 * An established watch has delivered an error.
	 *
	 * @param failure the error
	 * @param windowOpen whether internal errors are to be survived without a new list
	 * just now
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
	 * @param early whether it ended before the time it was asked for was over, or the
	 * next one is not to be asked for just now
	 */
	record Closed(boolean brief, boolean empty, boolean early) implements LoopSignal {

		Closed held() {
			return new Closed(this.brief, this.empty, true);
		}

	}

	/** The present watch is soon to end: it is time to open the next one. */
	record OverlapDue() implements LoopSignal {

	}

	/** The watch that was to follow cannot. */
	record OverlapFailed() implements LoopSignal {

	}

	/** The server serves the type now, as far as can be told. */
	record TypeAppeared() implements LoopSignal {

	}

	/** The watch that is to follow has come as far as the present one. */
	record OverlapComplete() implements LoopSignal {

	}

	/** The delay is over. */
	record DelayElapsed() implements LoopSignal {

	}

	/**
	 * The user asks for a full state.
	 *
	 * @param anew whether not even what has the same version is to be taken for known
	 */
	record RelistRequested(boolean anew) implements LoopSignal {

		public RelistRequested() {
			this(false);
		}

	}

	/** The user asks to hold. */
	record PauseRequested() implements LoopSignal {

	}

	/** The user asks to go on. */
	record ResumeRequested() implements LoopSignal {

	}

	/** The loop is to end. */
	record StopRequested() implements LoopSignal {

	}

}
