package dev.reflector.cache.internal.queue;

import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import dev.reflector.ResourceKey;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.internal.store.KnownObjects;
import dev.reflector.cache.internal.store.VersionTracker;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The queue of deltas between the loops and the writer of the mirror (client-go:
 * {@code Queue}).
 * <p>
 * <b>Promises.</b> A queued delta is popped once. The exception is the ordering by key,
 * which drops one of two deletions in a row (D-13). If processing a delta fails, it is
 * not queued again. Deltas of one object are popped in the order in which they were
 * queued. After the queue is closed, no thread waits any more, and queued deltas can
 * still be popped.
 * <p>
 * <b>Data.</b> There are two orderings, as in client-go. {@link ArrivalOrderFifo} (rules
 * D-32 to D-58) is one list across all objects. A complete state is one delta in this
 * list. When the writer reaches that delta, it compares the state with the mirror to find
 * the differences. {@link PerKeyFifo} (rules D-10 to D-30) has a list of deltas for each
 * key. When a complete state is queued, {@link PerKeyFifo} compares it at once with the
 * known objects, such as those of the mirror, to find which of them were deleted.
 * {@link SyncTracker} counts how much of the first complete state of each namespace is
 * still queued. {@link VersionTracker} finds the version that the mirror has reached, in
 * both orderings. When it sets a mark, it remembers how many deltas or keys are queued at
 * that moment. Once that many have been popped, the mirror has reached the versions that
 * were noted before the mark was set.
 * <p>
 * <b>Bound.</b> If the queue contains {@code capacity} deltas, a loop waits until there
 * is room or the queue is closed. This slows down the watch instead of using more memory.
 * In the ordering by key, all deltas of a complete state or of a resync are queued as
 * soon as there is room for one delta. The batch being processed is not counted.
 * <p>
 * <b>Threads.</b> The threads of the loops add deltas. One thread at a time pops them,
 * usually {@code reflector-NAME-store}. A loop that has added only a few deltas may also
 * pop them itself, in {@link #handOver}. One lock guards all state. Three fields are
 * volatile, so that they can be read without the lock. In arrival order, a batch is
 * processed without the lock, so loops can add deltas at the same time. In the ordering
 * by key, a batch is processed under the lock, because the known objects must not change
 * while a loop compares them with a complete state. Adding a single object does not wake
 * the popping thread. When a loop has no more messages, it calls {@link #handOver()},
 * which pops the deltas or wakes the popping thread.
 * <p>
 * <b>Recovery.</b> If processing fails, {@link #pop} throws the failure, and the writer
 * requests a new list. {@link #lost} and {@link #isRepaired} track whether complete
 * states of all namespaces have repaired the loss.
 * <p>
 * <b>client-go.</b> The queues of client-go have no bound and do not track versions.
 * {@code DeltaFIFO} holds its lock during processing. {@code RealFIFO} holds its lock
 * during processing only if 2000 or more deltas are queued; this slows down the reflector
 * (D-51). As in client-go, a queue in arrival order counts as synced after the first
 * complete state has been processed, and a queue by key when the last key of that state
 * has been popped.
 *
 * @param <T> the type of the objects
 */
public abstract sealed class DeltaFifo<T> permits ArrivalOrderFifo, PerKeyFifo {

	/**
	 * The largest number of deltas that are processed by the thread that has queued them.
	 */
	private static final int FEW = 16;

	/** Guards all state of the queue. */
	protected final ReentrantLock lock = new ReentrantLock();

	private final Condition notEmpty = this.lock.newCondition();

	private final Condition notFull = this.lock.newCondition();

	private final ResourceAccessor<T> accessor;

	private final int capacity;

	private final int scopes;

	private final SyncTracker sync;

	private final VersionTracker versions = new VersionTracker();

	/**
	 * Whether {@link #awaitMore()} returns even if no delta is queued: an empty complete
	 * state was queued (D-25), a version was reached, or {@link #nudge()} was called.
	 */
	private boolean newsToTell;

	private boolean closed;

	/** The number of deltas that are queued or being processed. Read without the lock. */
	private volatile int size;

	/** Processes queued deltas on the calling thread, if this is possible. */
	private volatile BooleanSupplier direct = () -> false;

	/** The namespaces for which a complete state was queued after the last loss. */
	private final Set<String> completeSinceLoss = new HashSet<>();

	/**
	 * Whether a complete state of each namespace was queued after the last loss. Read
	 * without the lock.
	 */
	private volatile boolean allCompleteSinceLoss;

	/**
	 * Creates an empty queue.
	 * @param accessor reads keys
	 * @param scopes the number of namespaces with separate complete states, 1 if there is
	 * one state for all
	 * @param capacity the largest number of queued deltas
	 * @throws IllegalArgumentException if {@code scopes} or the capacity is less than 1
	 */
	protected DeltaFifo(ResourceAccessor<T> accessor, int scopes, int capacity) {
		if (scopes < 1 || capacity < 1) {
			// without room, the first loop would wait forever
			throw new IllegalArgumentException("'scopes' and 'capacity' must be at least 1");
		}
		this.accessor = accessor;
		this.scopes = scopes;
		this.sync = new SyncTracker(scopes);
		this.capacity = capacity;
	}

	/**
	 * Creates an empty queue.
	 * @param <T> the type of the objects
	 * @param settings the ordering and the capacity
	 * @param accessor reads keys
	 * @param known the objects of the consumer; used only by
	 * {@link QueueSettings.Ordering#PER_KEY}
	 * @param scopes the number of namespaces with separate complete states, 1 if there is
	 * one state for all
	 * @return the queue
	 * @throws IllegalArgumentException if {@code scopes} or the capacity is less than 1
	 */
	public static <T> DeltaFifo<T> create(QueueSettings settings, ResourceAccessor<T> accessor, KnownObjects<T> known,
			int scopes) {
		return switch (settings.ordering()) {
			case ARRIVAL -> new ArrivalOrderFifo<>(accessor, scopes, settings.queueCapacity());
			case PER_KEY -> new PerKeyFifo<>(accessor, known, scopes, settings.queueCapacity());
		};
	}

	/**
	 * Queues an object that was added.
	 * @param object the object
	 * @throws IllegalArgumentException if the object has no key; then nothing is queued
	 */
	public void add(T object) {
		ResourceKey key = this.accessor.key(object);
		String version = this.accessor.resourceVersion(object);
		write(key.namespace(), () -> {
			append(key, new Delta.Upsert<>(Delta.Kind.ADDED, key, object));
			this.versions.noteIfOrdered(scope(key.namespace()), version);
		});
	}

	/**
	 * Queues an object that was changed.
	 * @param object the object
	 * @throws IllegalArgumentException if the object has no key; then nothing is queued
	 */
	public void update(T object) {
		ResourceKey key = this.accessor.key(object);
		String version = this.accessor.resourceVersion(object);
		write(key.namespace(), () -> {
			append(key, new Delta.Upsert<>(Delta.Kind.UPDATED, key, object));
			this.versions.note(scope(key.namespace()), version);
		});
	}

	/**
	 * Queues an object that was deleted.
	 * @param object last content of the object
	 * @throws IllegalArgumentException if the object has no key; then nothing is queued
	 */
	public void delete(T object) {
		ResourceKey key = this.accessor.key(object);
		String version = this.accessor.resourceVersion(object);
		write(key.namespace(), () -> {
			appendDeleted(new Delta.Deleted<>(key, object, false));
			this.versions.note(scope(key.namespace()), version);
		});
	}

	/**
	 * Queues an added or changed object whose version is older than that of a delta that
	 * was queued before. Its version does not count as reached.
	 * @param object the object
	 * @throws IllegalArgumentException if the object has no key; then nothing is queued
	 */
	public void late(T object) {
		ResourceKey key = this.accessor.key(object);
		write(key.namespace(), () -> append(key, new Delta.Upsert<>(Delta.Kind.LATE, key, object)));
	}

	/**
	 * Queues a deleted object whose version is older than that of a delta that was queued
	 * before. Its version does not count as reached.
	 * @param object last content of the object
	 * @throws IllegalArgumentException if the object has no key; then nothing is queued
	 */
	public void lateDelete(T object) {
		ResourceKey key = this.accessor.key(object);
		write(key.namespace(), () -> appendDeleted(new Delta.Deleted<>(key, object, false, true)));
	}

	/**
	 * Queues the deletion of an object whose last content could not be read.
	 * @param key key of the object
	 */
	public void delete(ResourceKey key) {
		write(key.namespace(), () -> appendDeleted(new Delta.Deleted<>(key, null, true)));
	}

	/**
	 * Queues a complete state.
	 * @param replacement the state
	 */
	public void replace(Delta.Replacement<T> replacement) {
		String scope = scope((replacement.namespace() != null) ? replacement.namespace() : "");
		enqueue(() -> {
			boolean first = this.sync.populate(scope);
			appendReplacement(replacement, first);
			this.completeSinceLoss.add(scope);
			this.allCompleteSinceLoss = this.completeSinceLoss.size() == this.scopes;
			if (first) {
				this.sync.expect(pending());
				this.newsToTell |= isEmpty() && this.sync.hasSynced();
			}
			this.versions.note(scope, replacement.resourceVersion());
		});
	}

	/**
	 * Notes that a namespace needs no complete state, because the consumer was restored
	 * from a snapshot, and a watch continues from the version of the snapshot.
	 * @param namespace the namespace, or {@code null} for all
	 * @param resourceVersion the version that has been reached
	 */
	public void resumed(@Nullable String namespace, String resourceVersion) {
		String scope = scope((namespace != null) ? namespace : "");
		enqueue(() -> {
			this.sync.populate(scope);
			this.newsToTell |= isEmpty() && this.sync.hasSynced();
			this.versions.note(scope, resourceVersion);
		});
	}

	/**
	 * Queues a bookmark.
	 * @param namespace the namespace of the bookmark, or {@code null} for all
	 * @param resourceVersion the version of the bookmark
	 */
	public void bookmark(@Nullable String namespace, String resourceVersion) {
		enqueue(() -> {
			appendBookmark(resourceVersion);
			this.versions.note(scope((namespace != null) ? namespace : ""), resourceVersion);
		});
	}

	/**
	 * Notes an event that changes only the version of the mirror.
	 * @param namespace the namespace of the event, or {@code null} for all
	 * @param resourceVersion the version of the event
	 */
	public void pass(@Nullable String namespace, String resourceVersion) {
		enqueue(() -> this.versions.noteIfOrdered(scope((namespace != null) ? namespace : ""), resourceVersion));
	}

	/**
	 * Queues a resync: the consumer delivers all of its objects again.
	 * @param namespace the namespace whose objects are delivered, or {@code null} for all
	 * @param begins chooses the listeners that receive the resync, and returns whether
	 * there are any; called when the consumer reaches the resync, or at once in the
	 * ordering by key
	 */
	public void resync(@Nullable String namespace, BooleanSupplier begins) {
		enqueue(() -> appendResync(namespace, begins));
	}

	/**
	 * Queues a resync of the timer, unless objects of an earlier resync are queued that
	 * would then not reach the listeners chosen for them.
	 * @param namespace the namespace whose objects are delivered, or {@code null} for all
	 * @param begins as in {@link #resync}
	 */
	public void resyncOfTimer(@Nullable String namespace, BooleanSupplier begins) {
		enqueue(() -> {
			if (!hasResync(namespace)) {
				appendResync(namespace, begins);
			}
		});
	}

	/**
	 * Queues a mark.
	 * @param reached called when all deltas queued before the mark have been processed;
	 * must return quickly
	 * @return whether {@code reached} will be called; a queue by key can set a mark only
	 * while it is empty
	 */
	boolean mark(Runnable reached) {
		AtomicBoolean marked = new AtomicBoolean();
		enqueue(() -> marked.set(appendMark(reached)));
		return marked.get();
	}

	/**
	 * Notes that a change was lost. Complete states that are queued from now on repair
	 * the loss.
	 */
	public void lost() {
		this.lock.lock();
		try {
			this.completeSinceLoss.clear();
			this.allCompleteSinceLoss = false;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether the last loss is repaired: a complete state of each namespace was queued
	 * after the loss, and no delta is queued or being processed now.
	 * @return whether the last loss is repaired
	 */
	public boolean isRepaired() {
		return this.allCompleteSinceLoss && this.size == 0;
	}

	private void write(String namespace, Runnable append) {
		enqueueQuietly(() -> {
			this.sync.populate(scope(namespace));
			append.run();
		});
	}

	private void enqueue(Runnable append) {
		enqueueQuietly(append);
		wake();
	}

	private void enqueueQuietly(Runnable append) {
		this.lock.lock();
		try {
			awaitRoom();
			append.run();
			this.newsToTell |= this.versions.mark(pending());
			this.size = depth() + inProcess();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Wakes the consumer if it waits. Must be called after the last of several deltas,
	 * because adding a single object does not wake the consumer.
	 */
	public void wake() {
		this.lock.lock();
		try {
			this.notEmpty.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	private String scope(String namespace) {
		return (this.scopes > 1) ? namespace : "";
	}

	private void awaitRoom() {
		while (depth() >= this.capacity && !this.closed) {
			this.notEmpty.signal();
			this.notFull.awaitUninterruptibly();
		}
	}

	/**
	 * Waits until there is a delta to pop or something to report: the first complete
	 * state is empty, or only a version has advanced. Pops nothing.
	 * @return {@code false} if the queue is closed and empty
	 */
	public boolean awaitMore() {
		this.lock.lock();
		try {
			while (isEmpty() && !this.newsToTell) {
				if (this.closed) {
					return false;
				}
				this.notEmpty.awaitUninterruptibly();
			}
			return true;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Processes the next deltas, if there are any (rules D-55 to D-58). In arrival order,
	 * these are deltas of different objects, and either all or none of them belong to the
	 * first complete state. In the ordering by key, these are all queued deltas of one
	 * key. If the processing fails, this method throws the failure, and the deltas are
	 * not queued again. Must be called by one thread at a time.
	 * @param process processes the deltas; its second argument says whether they belong
	 * to the first complete state
	 * @param limit the largest number of deltas in arrival order
	 */
	public void pop(PopProcessFunc<T> process, int limit) {
		pop(process, limit, false);
	}

	/**
	 * Does the same as {@link #pop}, but only if the next deltas are about single
	 * objects, so that the call does not take long. Must not be called while another
	 * thread calls this method or {@link #pop}.
	 * @param process processes deltas
	 * @param limit the largest number of deltas
	 * @return whether there were deltas about single objects
	 */
	public boolean popObjects(PopProcessFunc<T> process, int limit) {
		return pop(process, limit, true);
	}

	private boolean pop(PopProcessFunc<T> process, int limit, boolean objectsOnly) {
		this.lock.lock();
		try {
			if (objectsOnly && !beginsWithObject()) {
				return false;
			}
			this.newsToTell = false;
			if (!isEmpty()) {
				take(process, !this.sync.hasSynced(), limit);
			}
			return true;
		}
		finally {
			this.notFull.signalAll();
			this.size = depth() + inProcess();
			this.lock.unlock();
		}
	}

	/**
	 * Sets the function that processes a few deltas on the thread that has queued them.
	 * @param direct processes queued deltas without waiting, and returns whether it has
	 * processed all of them; if so, the popping thread is not woken
	 */
	public void directly(BooleanSupplier direct) {
		this.direct = direct;
	}

	/**
	 * Called after the last of several deltas was queued. If only a few deltas are
	 * queued, the calling thread processes them, if this is possible without waiting. If
	 * not, the popping thread is woken.
	 */
	public void handOver() {
		int waiting = this.size;
		if (waiting == 0 || waiting > FEW || !this.direct.getAsBoolean()) {
			wake();
		}
	}

	/**
	 * Wakes the popping thread, even if no delta is queued, so that it checks for
	 * unfinished work.
	 */
	public void nudge() {
		this.lock.lock();
		try {
			this.newsToTell = true;
			this.notEmpty.signal();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Whether the calling loop can certainly add a delta without waiting. This is so if
	 * the queue has room, no other loop can use that room first, and no batch is
	 * processed under the lock.
	 * @return whether the loop will not wait
	 */
	public boolean hasRoom() {
		return this.scopes == 1 && this.size < this.capacity;
	}

	/**
	 * Whether the first complete state has been popped (rules D-25, D-35, D-48). Never
	 * goes back to {@code false}.
	 * @return whether the first complete state has been popped
	 */
	public boolean hasSynced() {
		this.lock.lock();
		try {
			return this.sync.hasSynced();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Notes that deltas have left the queue.
	 * @param count how many deltas or keys
	 */
	protected void popped(int count) {
		this.sync.left(count);
		this.versions.left(count, this::pending);
	}

	/**
	 * Returns the versions up to which everything has been popped, without versions that
	 * an earlier call has returned.
	 * @return the versions by namespace, oldest first, or {@code null} if there are no
	 * new versions
	 */
	@Nullable public Map<String, Deque<String>> takeReached() {
		this.lock.lock();
		try {
			return this.versions.take();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns how many deltas or keys must still be popped until the first complete state
	 * has been popped.
	 */
	int initialPopulation() {
		return this.sync.population();
	}

	/**
	 * Returns the number of deltas that are queued or being processed. Never blocks.
	 * @return the number of deltas
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Closes the queue: waiting threads continue, and loops no longer wait for room.
	 * Queued deltas can still be popped (rule D-27).
	 */
	public void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.notEmpty.signalAll();
			this.notFull.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	abstract void append(ResourceKey key, Delta<T> delta);

	abstract void appendDeleted(Delta.Deleted<T> delta);

	abstract void appendReplacement(Delta.Replacement<T> replacement, boolean first);

	/**
	 * Returns how many deltas or keys {@link #popped} must count until everything that is
	 * queued now has been processed.
	 */
	abstract int pending();

	abstract void appendBookmark(String resourceVersion);

	abstract boolean appendMark(Runnable reached);

	abstract void appendResync(@Nullable String namespace, BooleanSupplier begins);

	/**
	 * Whether objects of a resync are queued whose listeners have been chosen already.
	 */
	boolean hasResync(@Nullable String namespace) {
		return false;
	}

	abstract boolean isEmpty();

	/**
	 * Whether the next delta is about a single object and may be processed without the
	 * lock.
	 */
	abstract boolean beginsWithObject();

	/** Returns how many deltas are queued. */
	abstract int depth();

	/** Returns how many deltas have left the queue but are not processed yet. */
	int inProcess() {
		return 0;
	}

	/** Takes the next deltas off the queue and processes them. Called under the lock. */
	abstract void take(PopProcessFunc<T> process, boolean isInInitialList, int limit);

}
