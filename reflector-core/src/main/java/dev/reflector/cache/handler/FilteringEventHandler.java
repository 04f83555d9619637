package dev.reflector.cache.handler;

import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Shows a handler the objects that pass a filter (client-go:
 * {@code FilteringResourceEventHandler}; rule I-54). It remembers nothing: each change
 * tells what was known before it, also after changes were merged (E-09).
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
		boolean deleted = change.type() == Change.Type.DELETED;
		T previous = (change.previous() == null && deleted) ? change.object() : change.previous();
		boolean passed = previous != null && this.filter.test(previous);
		// the handler has to hear of the end of what it was told of, whatever is left
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
				change.cause());
	}

}
