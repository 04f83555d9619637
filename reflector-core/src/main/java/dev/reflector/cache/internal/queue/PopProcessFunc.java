package dev.reflector.cache.internal.queue;

import java.util.List;

/**
 * Processes deltas that were popped off a {@link DeltaFifo}.
 *
 * @param <T> the type of the objects
 */
@FunctionalInterface
public interface PopProcessFunc<T> {

	/**
	 * Processes deltas.
	 * @param deltas the deltas. A queue in arrival order passes one delta, or several
	 * deltas of different objects. A queue by key passes all queued deltas of one key
	 * @param isInInitialList whether the queue had not synced yet when these deltas were
	 * popped (rule D-23)
	 */
	void process(List<Delta<T>> deltas, boolean isInInitialList);

}
