package dev.reflector.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ResourceEventHandler;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last change of each recently changed object, with the state of the object
 * before the change. The number of objects is limited. This is a handler of the
 * reflector. The reflector calls it on a separate thread. Any thread may read the
 * changes.
 */
final class RecentChanges implements ResourceEventHandler<Object> {

	static final int CAPACITY = 1000;

	private final LongSupplier clock;

	private final Map<ResourceKey, Recent> changes = new LinkedHashMap<>();

	/**
	 * Creates the handler.
	 * @param clock supplies the time in milliseconds
	 */
	RecentChanges(LongSupplier clock) {
		this.clock = clock;
	}

	@Override
	public String name() {
		return "reflector-console";
	}

	@Override
	public void onChange(Change<Object> change) {
		if (change.initialList() || change.cause() == Change.Cause.RESYNC) {
			return;
		}
		Recent recent = new Recent(change.key(), change.type(), this.clock.getAsLong(),
				change.contentUnknown() ? null : change.object(), change.previous());
		synchronized (this.changes) {
			this.changes.remove(recent.key());
			this.changes.put(recent.key(), recent);
			if (this.changes.size() > CAPACITY) {
				this.changes.remove(this.changes.keySet().iterator().next());
			}
		}
	}

	@Nullable Recent get(ResourceKey key) {
		synchronized (this.changes) {
			return this.changes.get(key);
		}
	}

	/** Returns the changes, from the oldest to the newest. */
	List<Recent> all() {
		synchronized (this.changes) {
			return List.copyOf(this.changes.values());
		}
	}

	/**
	 * A change.
	 *
	 * @param key key of the object
	 * @param type type of the change
	 * @param at when the change was delivered, in milliseconds
	 * @param object the object; for a deletion its last state, or {@code null} if that is
	 * not known
	 * @param previous the state before the change, or {@code null}
	 */
	record Recent(ResourceKey key, Change.Type type, long at, @Nullable Object object, @Nullable Object previous) {

	}

}
