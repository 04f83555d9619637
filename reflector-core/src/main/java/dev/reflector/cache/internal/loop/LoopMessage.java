package dev.reflector.cache.internal.loop;

import dev.reflector.cache.internal.queue.Checkpoint;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.RequestListener;
import dev.reflector.cache.source.WatchEvent;
import org.jspecify.annotations.Nullable;

/**
 * A message in the {@link Mailbox} of a list/watch loop.
 *
 * @param <T> the type of the objects
 */
sealed interface LoopMessage<T> {

	/**
	 * A result of an activity. Each result contains the number of its activity, so that
	 * results of an activity that has ended can be recognized and dropped.
	 */
	sealed interface Result<T> extends LoopMessage<T> {

		long activity();

	}

	record ReceivedFrame<T>(long activity, WatchEvent<T> event) implements Result<T> {

	}

	record Page<T>(long activity, ListPage<T> page) implements Result<T> {

	}

	/**
	 * The watch has ended without an error.
	 *
	 * @param overdue whether the server has not ended the watch in time, so that the loop
	 * closes it
	 */
	record Closed<T>(long activity, boolean overdue) implements Result<T> {

	}

	/**
	 * The answer to a watch was cut off before the server had ended the watch. The server
	 * may be unavailable.
	 */
	record Broken<T>(long activity, RequestListener.BrokenAnswer answer) implements Result<T> {

	}

	/** The request of the {@link VersionProbe} has been answered or has failed. */
	record Probed<T>(long activity, @Nullable Throwable error) implements Result<T> {

	}

	record Failed<T>(long activity, Throwable error) implements Result<T> {

	}

	/** The server may serve the type now. A request must find out whether it does. */
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

	/** A resync is due. Belongs to a pass, not to an activity. */
	record ResyncDue<T>(long pass) implements LoopMessage<T> {

	}

	record Resync<T>() implements LoopMessage<T> {

	}

	record Mark<T>(Checkpoint<T> checkpoint) implements LoopMessage<T> {

	}

	/** The source now requests fewer objects than the current watch delivers. */
	record Narrowed<T>() implements LoopMessage<T> {

	}

	record Command<T>(LoopSignal signal) implements LoopMessage<T> {

	}

	/**
	 * An error on a thread of Reactor that may have ended a request.
	 *
	 * @param <T> the type of the objects
	 * @param error the error
	 * @param owned whether the error comes from the source of this loop; otherwise its
	 * origin is unknown
	 */
	record Uncaught<T>(Throwable error, boolean owned) implements LoopMessage<T> {

	}

	/**
	 * An unexpected exception that was thrown while a frame was handled on the thread of
	 * the source.
	 */
	record Defect<T>(Throwable error) implements LoopMessage<T> {

	}

}
