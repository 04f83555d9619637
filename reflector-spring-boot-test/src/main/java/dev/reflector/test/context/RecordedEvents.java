package dev.reflector.test.context;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.event.ReflectorStateChangedEvent;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceEvent;

import org.springframework.context.ApplicationEvent;

/**
 * The events that reflectors have published in the context of a test. An event is
 * recorded after the {@code @EventListener} methods of the application have handled it,
 * or after one of them has thrown an exception. A listener that runs on an executor may
 * still be running then. Only the last ten thousand events are kept.
 * <p>
 * All methods return the events recorded so far and never wait. Use
 * {@link ReflectorProbe} to wait.
 *
 * @since 0.1.0
 */
public final class RecordedEvents {

	private static final int KEPT = 10_000;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Deque<Entry> entries = new ArrayDeque<>();

	/**
	 * The last state that each reflector has published, by the name of the reflector. It
	 * is kept even after the event was removed.
	 */
	private final Map<String, ReflectorState> states = new HashMap<>();

	/** The names of the reflectors that have published a sync at any time. */
	private final Set<String> synced = new HashSet<>();

	private long version;

	RecordedEvents() {
	}

	void add(ApplicationEvent event, boolean failed) {
		this.lock.lock();
		try {
			if (this.entries.size() == KEPT) {
				this.entries.removeFirst();
			}
			this.entries.addLast(new Entry(event, failed));
			if (event instanceof ReflectorStateChangedEvent change) {
				this.states.put(change.reflectorName(), change.state());
			}
			else if (event instanceof ReflectorSyncedEvent sync) {
				this.synced.add(sync.reflectorName());
			}
			this.version++;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns all events, including state changes and syncs.
	 * @return the events, oldest first
	 */
	public List<ApplicationEvent> all() {
		return entries().stream().map(Entry::event).toList();
	}

	/**
	 * Returns the changes on which a listener of the application has thrown an exception.
	 * Listeners after that listener may not have received these changes.
	 * @return the events, oldest first
	 */
	public List<ResourceEvent<?>> failed() {
		return changes(entries().stream().filter(Entry::failed));
	}

	List<Entry> entries() {
		this.lock.lock();
		try {
			return List.copyOf(this.entries);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the changes of objects of one type.
	 * @param <T> the type of the objects
	 * @param type the type of the objects
	 * @return the changes up to now
	 */
	public <T> RecordedChanges<T> ofType(Class<T> type) {
		return RecordedChanges.of(type, all());
	}

	/**
	 * Returns the changes of objects of all types.
	 * @return the events, oldest first
	 */
	public List<ResourceEvent<?>> changes() {
		return changes(entries().stream());
	}

	private static List<ResourceEvent<?>> changes(Stream<Entry> entries) {
		return entries.map(Entry::event)
			.filter(ResourceEvent.class::isInstance)
			.<ResourceEvent<?>>map((event) -> (ResourceEvent<?>) event)
			.toList();
	}

	/**
	 * Returns the events by which reflectors have published that they have synced.
	 * @return the events, oldest first
	 */
	public List<ReflectorSyncedEvent> synced() {
		return all(ReflectorSyncedEvent.class);
	}

	private <E extends ApplicationEvent> List<E> all(Class<E> eventType) {
		return all().stream().filter(eventType::isInstance).map(eventType::cast).toList();
	}

	/**
	 * Forgets the events recorded so far.
	 */
	public void clear() {
		this.lock.lock();
		try {
			this.entries.clear();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether a reflector has published that it has synced, and the last state that it
	 * has published is watching or polling.
	 * @param reflector the name of the reflector
	 * @return whether the reflector has published both
	 */
	boolean isWatching(String reflector) {
		this.lock.lock();
		try {
			ReflectorState state = this.states.get(reflector);
			return this.synced.contains(reflector)
					&& (state == ReflectorState.WATCHING || state == ReflectorState.POLLING);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns how many events have been recorded since the start, including events that
	 * are no longer kept.
	 * @return the number
	 */
	long version() {
		this.lock.lock();
		try {
			return this.version;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until more than {@code version} events have been recorded since the start, or
	 * until the time is over.
	 * @param version the last value of {@link #version()} that the caller has read
	 * @param nanos the longest time to wait, in nanoseconds
	 * @throws InterruptedException if the thread is interrupted
	 */
	void awaitAfter(long version, long nanos) throws InterruptedException {
		this.lock.lock();
		try {
			long remaining = nanos;
			while (this.version == version && remaining > 0) {
				remaining = this.changed.awaitNanos(remaining);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public String toString() {
		return entries().toString();
	}

	/**
	 * A recorded event.
	 *
	 * @param event the event
	 * @param failed whether a listener has thrown an exception
	 */
	record Entry(ApplicationEvent event, boolean failed) {

		@Override
		public String toString() {
			return this.event + (this.failed ? " (a listener threw an exception)" : "");
		}

	}

}
