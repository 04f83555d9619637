package dev.reflector.cache.handler;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Passes on only the changes of objects that pass a filter (client-go:
 * {@code FilteringResourceEventHandler}; rule I-54). This handler stores no state,
 * because each change contains the previous state of the object, even after changes were
 * merged (E-09). The deletion of an object of unknown content is always passed on.
 *
 * @param <T> the type of the objects
 */
final class FilteringEventHandler<T> extends DelegatingEventHandler<T> {

	private final Predicate<? super T> filter;

	FilteringEventHandler(Predicate<? super T> filter, ResourceEventHandler<T> handler) {
		super(handler);
		this.filter = filter;
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		if (change.contentUnknown()) {
			// the previous state may have passed the filter
			super.onChange(change, attempts);
			return;
		}
		boolean deleted = change.type() == Change.Type.DELETED;
		T previous = (change.previous() == null && deleted) ? change.object() : change.previous();
		boolean passed = previous != null && this.filter.test(previous);
		// a deletion is passed on if the previous state passed the filter; the last state
		// does not matter
		boolean passes = !deleted && this.filter.test(change.object());
		if (previous != null && passed && !passes && change.type() == Change.Type.UPDATED) {
			super.onChange(as(Change.Type.DELETED, change, previous, previous), attempts);
		}
		else if (!passed && passes && change.type() == Change.Type.UPDATED) {
			super.onChange(as(Change.Type.ADDED, change, change.object(), null), attempts);
		}
		else if (passed || passes) {
			super.onChange(change, attempts);
		}
	}

	private Change<T> as(Change.Type type, Change<T> change, T object, @Nullable T previous) {
		return new Change<>(type, change.key(), object, previous, change.resourceVersion(), false, false,
				change.cause(), change.ownership(), null);
	}

}
