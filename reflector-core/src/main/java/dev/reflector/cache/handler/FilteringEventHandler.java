package dev.reflector.cache.handler;

import java.util.function.Predicate;

import dev.reflector.ReflectorState;
import org.jspecify.annotations.Nullable;

/**
 * Shows a handler the objects that pass a filter (client-go:
 * {@code FilteringResourceEventHandler}; rule I-54). It remembers nothing: each change
 * tells what was known before it, also after changes were merged (E-09).
 *
 * @param <T> the type of the objects
 */
final class FilteringEventHandler<T> implements ResourceEventHandler<T> {

	private final Predicate<? super T> filter;

	private final ResourceEventHandler<T> handler;

	FilteringEventHandler(Predicate<? super T> filter, ResourceEventHandler<T> handler) {
		this.filter = filter;
		this.handler = handler;
	}

	@Override
	public String name() {
		return this.handler.name();
	}

	@Override
	public void onChange(Change<T> change) {
		onChange(change, DeliveryAttempts.NONE);
	}

	@Override
	public void onChange(Change<T> change, DeliveryAttempts attempts) {
		boolean deleted = change.type() == Change.Type.DELETED;
		T previous = (change.previous() == null && deleted) ? change.object() : change.previous();
		boolean passed = previous != null && this.filter.test(previous);
		// the handler has to hear of the end of what it was told of, whatever is left
		boolean passes = !deleted && this.filter.test(change.object());
		if (previous != null && passed && !passes && change.type() == Change.Type.UPDATED) {
			this.handler.onChange(as(Change.Type.DELETED, change, previous, previous), attempts);
		}
		else if (!passed && passes && change.type() == Change.Type.UPDATED) {
			this.handler.onChange(as(Change.Type.ADDED, change, change.object(), null), attempts);
		}
		else if (passed || passes) {
			this.handler.onChange(change, attempts);
		}
	}

	private Change<T> as(Change.Type type, Change<T> change, T object, @Nullable T previous) {
		return new Change<>(type, change.key(), object, previous, change.resourceVersion(), false, false,
				change.cause());
	}

	@Override
	public void onStart() {
		this.handler.onStart();
	}

	@Override
	public void onStop() {
		this.handler.onStop();
	}

	@Override
	public void onSynced(String resourceVersion) {
		this.handler.onSynced(resourceVersion);
	}

	@Override
	public void onPassEnd(PassEnd reason, String message) {
		this.handler.onPassEnd(reason, message);
	}

	@Override
	public void onStateChange(ReflectorState previous, ReflectorState state, String reason) {
		this.handler.onStateChange(previous, state, reason);
	}

}
