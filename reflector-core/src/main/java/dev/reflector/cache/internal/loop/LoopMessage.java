package dev.reflector.cache.internal.loop;

import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * Anything that can arrive in the {@link Mailbox} of a list/watch loop.
 *
 * @param <T> the type of the objects
 */
sealed interface LoopMessage<T> {

	/**
	 * A result of an activity. Carries the number of the activity, so that results of an
	 * activity that has ended can be recognized and dropped.
	 */
	sealed interface Result<T> extends LoopMessage<T> {

		long activity();

	}

	record Frame<T>(long activity, WatchEvent<T> event) implements Result<T> {

	}

	record Page<T>(long activity, ListPage<T> page) implements Result<T> {

	}

	/**
	 * The watch has ended without an error.
	 *
	 * @param overdue whether it has lasted longer than was asked for, and must be closed
	 */
	record Closed<T>(long activity, boolean overdue) implements Result<T> {

	}

	/** The watch ends, but not because the server ends it: it may be away. */
	record Broken<T>(long activity, RequestListener.BrokenAnswer answer) implements Result<T> {

	}

	/** Whether the server knows the version that a watch begins with. */
	record Probed<T>(long activity, @Nullable Throwable error) implements Result<T> {

	}

	record Failed<T>(long activity, Throwable error) implements Result<T> {

	}

	/** The type is served, or a request should find out whether it is. */
	record TypeDue<T>(long activity) implements Result<T> {

	}

	record Elapsed<T>(long activity) implements Result<T> {

	}

	record Settled<T>(long activity) implements Result<T> {

	}

	record MarkerDue<T>(long activity) implements Result<T> {

	}

	record OverlapDue<T>(long activity) implements Result<T> {

	}

	/** Belongs to a pass, not to an activity. */
	record ResyncDue<T>(long pass) implements LoopMessage<T> {

	}

	record Resync<T>() implements LoopMessage<T> {

	}

	record Mark<T>(Checkpoint<T> checkpoint) implements LoopMessage<T> {

	}

	/** Some of what the current watch delivers is no longer wanted. */
	record Narrowed<T>() implements LoopMessage<T> {

	}

	record Command<T>(LoopSignal signal) implements LoopMessage<T> {

	}

	/**
	 * An error on a thread of Reactor, which may end a request.
	 *
	 * @param <T> the type of the objects
	 * @param error the error
	 * @param owned whether it is from the source; otherwise it is from an unknown one
	 */
	record Uncaught<T>(Throwable error, boolean owned) implements LoopMessage<T> {

	}

	/** An unexpected exception while a frame was handled directly. */
	record Defect<T>(Throwable error) implements LoopMessage<T> {

	}

}
