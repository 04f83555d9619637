package dev.reflector.cache.internal.delivery;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ReflectorStatus.LastError;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.call.ListenerCall;
import dev.reflector.cache.internal.call.SlowListeners;
import dev.reflector.cache.internal.store.CompletedObjects;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.Indexer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The handlers of a reflector (client-go: {@code sharedProcessor}). They may join and
 * leave at any time. Writes of the mirror and joins hold the same lock, and changes are
 * numbered when they are written. So a handler first receives a snapshot of the mirror,
 * and then exactly the changes after this snapshot. Other handlers do not wait for the
 * join (I-40, without I-41).
 * <p>
 * <b>Locks.</b> The lock of this class is taken first, then the monitor of a
 * {@link HandlerGroup}, then the lock of a {@link ProcessorListener}, never in another
 * order. No handler is called under any of these locks. {@link PendingChanges} are added
 * to the queues without the lock of this class. Index functions run while the mirror is
 * written, so one that does not return holds the lock forever. For this reason, health,
 * status and the end of a reflector do not take the lock.
 *
 * @param <T> the type of the objects
 */
public final class Handlers<T> {

	private static final Logger logger = LoggerFactory.getLogger("dev.reflector.Reflector");

	private final DeliverySetup<T> setup;

	private final Indexer<T> indexer;

	private final Counters counters;

	private final SlowListeners slow;

	private final ReentrantLock lock = new ReentrantLock();

	/** Wakes threads that wait for the first complete state. */
	private final SyncSignal syncSignal = new SyncSignal();

	private final List<ProcessorListener<T>> listeners = new CopyOnWriteArrayList<>();

	/** Streams that wait for the first complete state before they begin. */
	private final List<ProcessorListener<T>> waiting = new CopyOnWriteArrayList<>();

	/**
	 * Supplies the action that restarts a listener. Used for each listener of a handler
	 * whose delivery has stopped.
	 */
	private Supplier<Consumer<ProcessorListener<T>>> again = () -> this::begin;

	private final RecoveredChanges<T> recovered;

	/** Requests a list of the newest state from the server. */
	private volatile Runnable list = () -> {
	};

	private final DeliveredObjects<T> delivered;

	/** Guarded by the monitor of this object. */
	private Duration checkPeriod;

	private long sequence;

	/**
	 * Whether another replica delivers, so that handlers in this process receive nothing.
	 * Written under the lock.
	 */
	private volatile boolean standby;

	/** Whether the mirror has synced in the current run. */
	private boolean synced;

	/** Whether the mirror has ever synced. */
	private boolean filled;

	public Handlers(DeliverySetup<T> setup, Indexer<T> indexer, Counters counters) {
		this.setup = setup;
		this.indexer = indexer;
		this.counters = counters;
		this.checkPeriod = setup.delivery().resyncPeriod();
		this.recovered = new RecoveredChanges<>(setup.accessor(), indexer, counters.skipped, () -> this.list.run());
		this.delivered = setup.gate().objects(this, indexer, this.recovered);
		this.slow = new SlowListeners(setup.name(), setup.delivery(), setup.time(),
				() -> this.listeners.stream().map(ProcessorListener::call));
	}

	/**
	 * Sets the action that requests a list of the newest state. It runs when only a list
	 * can show what handlers have missed.
	 */
	public void list(Runnable list) {
		this.list = list;
	}

	/** Returns how often the timer of resyncs fires. */
	public synchronized Duration checkPeriod() {
		return this.checkPeriod;
	}

	/** Creates the group of a handler that will join. Does not call the handler. */
	public synchronized HandlerGroup<T> create(ListenerKind kind, ResourceEventHandler<T> handler, String name,
			Duration resyncPeriod, boolean running) {
		Duration requested = resyncPeriod;
		if (!requested.isZero() && requested.compareTo(ResyncClock.MINIMUM) < 0) {
			logger.atWarn()
				.addKeyValue("reflector", this.setup.name())
				.log("Reflector '{}': the handler {} asked for a resync every {}, but the shortest period is "
						+ "{}, which is used instead", this.setup.name(), name, requested, ResyncClock.MINIMUM);
			requested = ResyncClock.MINIMUM;
		}
		if (!requested.isZero() && requested.compareTo(this.checkPeriod) < 0 && !running) {
			this.checkPeriod = requested;
			this.listeners.forEach((listener) -> listener.resync().checkPeriod(this.checkPeriod));
		}
		// the same start time for all listeners, so that they are due for a resync
		// together
		long now = this.setup.time().nanoTime();
		int members = (kind == ListenerKind.EVENTS) ? this.setup.delivery().concurrency() : 1;
		List<ResyncClock> clocks = new ArrayList<>();
		for (int i = 0; i < members; i++) {
			clocks.add(new ResyncClock(requested, this.checkPeriod, now));
		}
		return new HandlerGroup<>(this.setup, kind, handler, name, clocks, this.counters, this.slow);
	}

	/** Adds a handler. Waits while the mirror is written. */
	public void join(HandlerGroup<T> group) {
		this.lock.lock();
		try {
			if (group.kind() == ListenerKind.STREAM && !this.filled) {
				this.waiting.addAll(group.members());
			}
			else if (this.standby && group.kind() == ListenerKind.EVENTS) {
				group.hold();
				this.listeners.addAll(group.members());
			}
			else {
				group.members().forEach(this::begin);
				this.listeners.addAll(group.members());
			}
		}
		finally {
			this.lock.unlock();
		}
		group.members().forEach((member) -> member.ended().whenComplete((nothing, error) -> leave(member)));
	}

	private void begin(ProcessorListener<T> listener) {
		listener.pending().join(listener.group().gate().begun(this.indexer.initial()), this.sequence);
		tellSynced(listener);
	}

	/** Returns the objects that are delivered. */
	public DeliveredObjects<T> delivered() {
		return this.delivered;
	}

	private List<Change<T>> since(CompletedObjects<T> completed) {
		return this.recovered.between(completed, this.indexer.objects());
	}

	private void begin(ProcessorListener<T> listener, List<Change<T>> missed) {
		listener.pending().join(missed, this.sequence);
		tellSynced(listener);
	}

	private void tellSynced(ProcessorListener<T> listener) {
		if (this.synced) {
			synced(listener);
		}
	}

	private void synced(ProcessorListener<T> listener) {
		listener.pending().note(listener.group().synced(this.indexer.resourceVersion()));
	}

	/** Lets handlers whose delivery has stopped start over. */
	public void resumeStopped() {
		if (stopped() == null) {
			return;
		}
		this.lock.lock();
		try {
			List<HandlerGroup<T>> stopped = groups().filter((group) -> group.stopped() != null).toList();
			if (!stopped.isEmpty()) {
				Consumer<ProcessorListener<T>> again = this.again.get();
				stopped.forEach((group) -> group.beginAnew(again));
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private Stream<HandlerGroup<T>> groups() {
		return this.listeners.stream().map(ProcessorListener::group).distinct();
	}

	/**
	 * Stops the delivery to handlers, because another replica delivers. Their queues are
	 * dropped. Streams continue.
	 * @return a future that completes when no call of a handler is in progress, and the
	 * work that earlier calls began is done
	 */
	public CompletableFuture<Void> standBy() {
		List<ProcessorListener<T>> held = new ArrayList<>();
		this.lock.lock();
		try {
			this.standby = true;
			for (ProcessorListener<T> listener : this.listeners) {
				if (listener.group().kind() == ListenerKind.EVENTS) {
					listener.group().hold();
					held.add(listener);
				}
			}
		}
		finally {
			this.lock.unlock();
		}
		return CompletableFuture.allOf(held.stream()
			// leaves out a call that itself waits for the end of its listener
			.filter((listener) -> !listener.isEndedFromWithin())
			.map((listener) -> listener.group().doneAfter(listener.quiet()))
			.toArray(CompletableFuture<?>[]::new));
	}

	/** Starts the delivery on this replica. Handlers receive all objects first. */
	public void takeOver() {
		takeOver(() -> this::begin, () -> true);
	}

	/**
	 * Starts the delivery on this replica. Handlers first receive the changes that the
	 * handlers of the previous replica have not completed.
	 * @param completed the objects whose changes the handlers of the previous replica
	 * have completed; {@code null} if handlers first receive all objects
	 * @param ready whether handlers may begin; called under the lock of this class, so
	 * that the mirror does not change during the call
	 * @return whether handlers have begun
	 */
	public boolean takeOver(@Nullable CompletedObjects<T> completed, BooleanSupplier ready) {
		return takeOver((completed != null) ? () -> again(since(completed)) : () -> this::begin, ready);
	}

	private Consumer<ProcessorListener<T>> again(List<Change<T>> missed) {
		return (listener) -> begin(listener, missed);
	}

	private boolean takeOver(Supplier<Consumer<ProcessorListener<T>>> begin, BooleanSupplier ready) {
		this.lock.lock();
		try {
			if (!ready.getAsBoolean()) {
				return false;
			}
			this.standby = false;
			List<HandlerGroup<T>> held = groups().filter(HandlerGroup::isHeld).toList();
			if (!held.isEmpty()) {
				Consumer<ProcessorListener<T>> beginning = begin.get();
				held.forEach((group) -> group.beginAnew(beginning));
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Whether another replica delivers. Takes no lock. */
	public boolean isStandby() {
		return this.standby;
	}

	/** Returns why delivery to a handler has stopped, or {@code null}. */
	@Nullable public LastError stopped() {
		return this.listeners.stream()
			.map((listener) -> listener.group().stopped())
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	/** Returns the listener whose call in progress has taken longest, or {@code null}. */
	public ReflectorStatus.@Nullable BusyListener busy() {
		return this.slow.longest();
	}

	/** Returns the current time of the clock by which slots and calls are timed. */
	public long now() {
		return this.setup.time().nanoTime();
	}

	/**
	 * Returns the time at which the longest call in progress with a change began, or
	 * {@code null} if no call has taken longer than {@code patience}.
	 */
	@Nullable Long stalledSince(Duration patience) {
		return stalled(patience).map(ListenerCall.InProgress::since)
			.min((one, other) -> Long.signum(one - other))
			.orElse(null);
	}

	private Stream<ListenerCall.InProgress> stalled(Duration patience) {
		long now = now();
		long longest = TimeUnit.NANOSECONDS.convert(patience);
		return told().map((listener) -> listener.call().inProgress())
			.filter((call) -> call != null && now - call.since() >= longest)
			.map(Objects::requireNonNull);
	}

	/**
	 * Returns the names of the listeners whose calls with a change have been in progress
	 * for longer than {@code patience}.
	 */
	public List<String> stalledListeners(Duration patience) {
		return stalled(patience).map(ListenerCall.InProgress::listener).distinct().sorted().toList();
	}

	/** Takes no lock. The order matters: see {@link #synced()}. */
	private void leave(ProcessorListener<T> listener) {
		this.waiting.remove(listener);
		this.listeners.remove(listener);
	}

	/**
	 * Returns all listeners, including those that wait to begin. Takes no lock. A
	 * listener that no longer waits is in both lists for a moment.
	 */
	public Set<ProcessorListener<T>> all() {
		Set<ProcessorListener<T>> all = new LinkedHashSet<>(this.waiting);
		all.addAll(this.listeners);
		return all;
	}

	/** Returns the listeners of handlers, without streams. */
	Stream<ProcessorListener<T>> told() {
		return this.listeners.stream().filter((listener) -> listener.group().kind() == ListenerKind.EVENTS);
	}

	/**
	 * Calls an action under the lock. The action may read or change what handlers
	 * receive.
	 * @param action receives the number of the last change
	 * @return the result of the action
	 */
	<R> R exclusively(LongFunction<R> action) {
		this.lock.lock();
		try {
			return action.apply(this.sequence);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Writes the mirror under the lock. The writer calls {@link #changed(int)} to count
	 * the changes to deliver.
	 */
	public void write(Runnable changes) {
		this.lock.lock();
		try {
			changes.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the lock that writes of the mirror hold. A handler that joins may hold it
	 * for a while.
	 */
	public Lock writeLock() {
		return this.lock;
	}

	/**
	 * Counts changes of the mirror. Called only while the mirror is written.
	 * @param changes how many changes there are
	 */
	void changed(int changes) {
		this.sequence += changes;
	}

	/** Returns the number of the last change. */
	long sequence() {
		this.lock.lock();
		try {
			return this.sequence;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the listeners that receive changes now. May be called without the lock: a
	 * handler that joins at the same time begins with a snapshot that already contains
	 * the changes.
	 */
	List<ProcessorListener<T>> listeners() {
		return this.listeners;
	}

	/**
	 * Notes that the first complete state of this run is in the mirror and was added to
	 * the queues.
	 */
	public void synced() {
		this.lock.lock();
		try {
			this.synced = true;
			this.filled = true;
			this.listeners.forEach(this::synced);
			for (ProcessorListener<T> listener : this.waiting) {
				begin(listener);
				this.listeners.add(listener);
				if (!this.waiting.remove(listener)) {
					// the stream has ended since the loop began
					this.listeners.remove(listener);
				}
			}
		}
		finally {
			this.lock.unlock();
		}
		this.syncSignal.wake();
	}

	/** Whether the mirror has synced in the current run. */
	public boolean hasSynced() {
		this.lock.lock();
		try {
			return this.synced;
		}
		finally {
			this.lock.unlock();
		}
	}

	public SyncSignal syncSignal() {
		return this.syncSignal;
	}

	/**
	 * Notes that a run of the reflector begins or ends. The mirror does not count as
	 * synced until {@link #synced()} is called.
	 */
	public void unsynced() {
		this.lock.lock();
		try {
			this.synced = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	public void passEnded(RelistReason reason, String message) {
		first().forEach((listener) -> listener.pending().note(new Notification.PassEnded<>(reason, message)));
	}

	public void stateChanged(ReflectorState previous, ReflectorState state, String reason) {
		first()
			.forEach((listener) -> listener.pending().note(new Notification.StateChanged<>(previous, state, reason)));
	}

	/** Returns the first listener of each group. */
	private Stream<ProcessorListener<T>> first() {
		return this.listeners.stream().filter((listener) -> listener.stripe().index() == 0);
	}

	/**
	 * Called when the timer of resyncs has fired. Returns a function that chooses the
	 * listeners that were due then, and returns whether there are any (I-32). The
	 * function is called when the writer of the mirror reaches the resync. An earlier
	 * call would change who receives the resync before it.
	 */
	public BooleanSupplier resyncDue(@Nullable String namespace) {
		long now = this.setup.time().nanoTime();
		return () -> {
			boolean due = false;
			for (ProcessorListener<T> listener : this.listeners) {
				due |= listener.resync().fire((namespace != null) ? namespace : "", now);
			}
			return due;
		};
	}

	/** Returns a function that chooses all listeners for a resync. */
	public BooleanSupplier resyncForAll(@Nullable String namespace) {
		return () -> {
			this.listeners.forEach((listener) -> listener.resync().fireForAll((namespace != null) ? namespace : ""));
			return true;
		};
	}

	/**
	 * Adds a mark to the queue of every handler, but not of streams.
	 * @return the marks, which report when every handler has completed all changes before
	 * its mark
	 */
	public Passing passed() {
		return new Passing(
				told().map((listener) -> new Passing.OfHandler(listener.group().name(), listener.pending().passed()))
					.toList());
	}

	/**
	 * Lets handlers whose delivery has stopped continue from a state that all handlers
	 * have completed. Without such a state, these handlers receive all objects again.
	 * @param completed supplies the state
	 */
	public void recoverFrom(Supplier<CompletedObjects<T>> completed) {
		recover(() -> since(completed.get()));
	}

	/**
	 * Sets the supplier of the changes that handlers receive first when they start over
	 * after their delivery has stopped. Must be called before handlers join.
	 */
	void recover(Supplier<List<Change<T>>> missed) {
		this.again = () -> again(missed.get());
	}

	/** Returns the length of the longest queue. */
	public int depth() {
		return first().mapToInt((listener) -> listener.group().size()).max().orElse(0);
	}

}
