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
 * <b>Promises.</b> A delta that was queued is popped once, except that by key one of two
 * deletions in a row is dropped (D-13). It is not queued again when its processing fails.
 * Deltas of one object are popped in the order in which they were queued. Closing ends
 * all waiting, and what is queued can still be popped.
 * <p>
 * <b>Data.</b> The two orderings are those of client-go. {@link ArrivalOrderFifo} (rules
 * D-32 to D-58) is one list across all objects. A complete state is one delta in it, and
 * the writer finds the differences when it reaches that delta, against the mirror as it
 * is then. {@link PerKeyFifo} (rules D-10 to D-30) has a list of deltas for each key. It
 * finds the deletions of a complete state when that is queued, so it reads the known
 * objects. {@link SyncTracker} counts what is left of the first complete state of each
 * namespace. {@link VersionTracker} finds the version that the mirror has reached without
 * relying on an order: it sets a mark behind all that waits, and takes the versions noted
 * before the mark as reached when so many deltas or keys were popped.
 * <p>
 * <b>Bound.</b> A writer that finds {@code capacity} deltas waits until there is room or
 * the queue is closed. This slows down the watch instead of using more memory. By key,
 * all deltas of a complete state or of a resync are queued once there is room for one.
 * The batch being processed is not counted.
 * <p>
 * <b>Threads.</b> The threads of the loops add, and one thread at a time pops:
 * {@code reflector-NAME-store}, or with {@link #handOver} a thread that has added. One
 * lock guards all state. Three fields are volatile, to be read without the lock. In
 * arrival order a batch is processed without the lock, so loops can add deltas then. By
 * key it is processed under the lock, because the known objects must not change while a
 * loop compares them with a complete state. Single objects do not wake the popping
 * thread; the loop does so with {@link #handOver()} when no more messages are at hand.
 * <p>
 * <b>Recovery.</b> A failure of the processing leaves {@link #pop}. The writer then has a
 * new list requested, and {@link #lost} and {@link #isRepaired} say when complete states
 * of all namespaces have made up for the loss.
 * <p>
 * <b>client-go.</b> Its queues have no bound. {@code DeltaFIFO} keeps its lock while it
 * processes, and {@code RealFIFO} does so while 2000 deltas or more wait, which slows
 * down the reflector (D-51). A queue counts as synced at the same moment: in arrival
 * order after the first complete state was processed, by key when its last key was
 * popped. They do not track versions.
 *
 * @param <T> the type of the objects
 */
public abstract sealed class DeltaFifo<T> permits ArrivalOrderFifo, PerKeyFifo {

	/** The most deltas that are processed by the thread that has queued them. */
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
	 * Whether {@link #popBatch} returns although nothing waits: an empty complete state
	 * was queued (D-25), or a version was reached.
	 */
	private boolean newsToTell;

	private boolean closed;

	/** Number of deltas that wait or are being processed; read without the lock. */
	private volatile int size;

	/** Processes the queue on the calling thread, if it can. */
	private volatile BooleanSupplier direct = () -> false;

	/** The namespaces of which a complete state was queued after the last loss. */
	private final Set<String> completeSinceLoss = new HashSet<>();

	/** Whether {@link #completeSinceLoss} has all namespaces; read without the lock. */
	private volatile boolean allCompleteSinceLoss;

	/**
	 * Creates an empty queue.
	 * @param accessor reads keys
	 * @param scopes how many namespaces replace their state on their own, 1 when there is
	 * one state for all
	 * @param capacity bound of the queue, in deltas
	 * @throws IllegalArgumentException when a number is less than 1
	 */
	protected DeltaFifo(ResourceAccessor<T> accessor, int scopes, int capacity) {
		if (scopes < 1 || capacity < 1) {
			// without room the first writer would wait forever
			throw new IllegalArgumentException("'scopes' and 'capacity' must be at least 1");
		}
		this.accessor = accessor;
		this.scopes = scopes;
		this.sync = new SyncTracker(scopes);
		this.capacity = capacity;
	}

	/**
	 * Creates a queue.
	 * @param <T> the type of the objects
	 * @param settings ordering and bound
	 * @param accessor reads keys
	 * @param known the objects of the consumer; used by
	 * {@link QueueSettings.Ordering#PER_KEY} only
	 * @param scopes how many namespaces replace their state on their own, 1 when there is
	 * one state for all
	 * @return the queue
	 * @throws IllegalArgumentException when a number is less than 1
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
	 * @throws IllegalArgumentException when it has no key; nothing is queued then
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
	 * @throws IllegalArgumentException when it has no key; nothing is queued then
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
	 * @throws IllegalArgumentException when it has no key; nothing is queued then
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
	 * Queues an object that was added or changed, with a version that is older than what
	 * was queued before. The position stays.
	 * @param object the object
	 * @throws IllegalArgumentException when it has no key; nothing is queued then
	 */
	public void late(T object) {
		ResourceKey key = this.accessor.key(object);
		write(key.namespace(), () -> append(key, new Delta.Upsert<>(Delta.Kind.LATE, key, object)));
	}

	/**
	 * Queues an object that was deleted, with a version that is older than what was
	 * queued before. The position stays.
	 * @param object last content of the object
	 * @throws IllegalArgumentException when it has no key; nothing is queued then
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
	 * Notes that a namespace needs no complete state: the consumer was restored to one,
	 * and a watch continues from it.
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
	 * @param namespace the namespace it is about, or {@code null} for all
	 * @param resourceVersion its version
	 */
	public void bookmark(@Nullable String namespace, String resourceVersion) {
		enqueue(() -> {
			appendBookmark(resourceVersion);
			this.versions.note(scope((namespace != null) ? namespace : ""), resourceVersion);
		});
	}

	/**
	 * Notes an event that brings nothing to the mirror but its version.
	 * @param namespace the namespace it is about, or {@code null} for all
	 * @param resourceVersion its version
	 */
	public void pass(@Nullable String namespace, String resourceVersion) {
		enqueue(() -> this.versions.noteIfOrdered(scope((namespace != null) ? namespace : ""), resourceVersion));
	}

	/**
	 * Queues a resync: the consumer delivers again what it already has.
	 * @param namespace the namespace whose objects are meant, or {@code null} for all
	 */
	public void resync(@Nullable String namespace) {
		enqueue(() -> appendResync(namespace));
	}

	/**
	 * Queues a mark.
	 * @param reached called when everything queued before the mark has been processed;
	 * must be short
	 * @return whether {@code reached} will be called: a queue without an order across
	 * objects can set a mark only while it is empty
	 */
	boolean mark(Runnable reached) {
		AtomicBoolean marked = new AtomicBoolean();
		enqueue(() -> marked.set(appendMark(reached)));
		return marked.get();
	}

	/**
	 * Notes that a change was lost. Complete states that are queued from now on make up
	 * for the loss.
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
	 * after it, and nothing waits or is being processed now.
	 * @return whether this is so
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
	 * Wakes the consumer, if it waits. Must be called when no more deltas are expected at
	 * once: single objects do not wake it, because many may come in a row.
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
	 * Waits until there is something to pop or to report: the first complete state turned
	 * out to be empty, or only a version has moved. Takes nothing.
	 * @return {@code false} when the queue is closed and empty
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
	 * Has the next deltas processed, if there are any (rules D-55 to D-58). In arrival
	 * order these are deltas of different objects, and either all or none of them belong
	 * to the first complete state; accumulated by key, they are all waiting deltas of one
	 * key. A failure of the processing leaves the call, and the deltas are not queued
	 * again. Call it from one thread at a time.
	 * @param process processes deltas; its argument says whether they belong to the first
	 * complete state
	 * @param limit the most deltas in arrival order
	 */
	public void pop(PopProcessFunc<T> process, int limit) {
		pop(process, limit, false);
	}

	/**
	 * Processes the next deltas if they are about single objects, which does not take
	 * long. In everything else it is like {@link #pop}, and must not be called at the
	 * same time.
	 * @param process processes deltas
	 * @param limit the most deltas
	 * @return whether there were such deltas
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
	 * @param direct processes the deltas without waiting, and returns whether it has
	 * processed all of them; if so, the thread that pops is not woken
	 */
	public void directly(BooleanSupplier direct) {
		this.direct = direct;
	}

	/**
	 * Announces that no more deltas are expected at once. If few wait, they are processed
	 * on the calling thread where that is possible without waiting; otherwise the popping
	 * thread is woken.
	 */
	public void handOver() {
		int waiting = this.size;
		if (waiting == 0 || waiting > FEW || !this.direct.getAsBoolean()) {
			wake();
		}
	}

	/** Wakes the popping thread to look for deltas, even if none may be waiting. */
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
	 * Whether the calling loop is sure to add a delta without waiting. This needs room in
	 * the queue, no other loop that could use the room first, and no batch that is
	 * processed under the lock.
	 * @return whether this is so
	 */
	public boolean hasRoom() {
		return this.scopes == 1 && this.size < this.capacity;
	}

	/**
	 * Whether the first complete state has been popped (rules D-25, D-35, D-48). Never
	 * goes back to {@code false}.
	 * @return whether it has
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
	 * @param count how many count towards the first complete state
	 */
	protected void popped(int count) {
		this.sync.left(count);
		this.versions.left(count, this::pending);
	}

	/**
	 * Returns the versions up to which everything has been popped, if there are new ones
	 * since the last call.
	 * @return versions by namespace, oldest first; {@code null} when there is nothing new
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

	/** Returns how many pops are left until the first complete state has been popped. */
	int initialPopulation() {
		return this.sync.population();
	}

	/**
	 * Number of deltas that wait or are being processed. Never blocks.
	 * @return the number
	 */
	public int size() {
		return this.size;
	}

	/**
	 * Closes the queue: waiting threads continue, what is queued can still be popped
	 * (rule D-27), and writers no longer wait for room.
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
	 * queued now is processed.
	 */
	abstract int pending();

	abstract void appendBookmark(String resourceVersion);

	abstract boolean appendMark(Runnable reached);

	abstract void appendResync(@Nullable String namespace);

	abstract boolean isEmpty();

	/**
	 * Whether the next delta is about a single object, and may be processed while others
	 * are added.
	 */
	abstract boolean beginsWithObject();

	/** Returns how many deltas wait. */
	abstract int depth();

	/** Returns how many deltas have left the queue and are not processed yet. */
	int inProcess() {
		return 0;
	}

	/**
	 * Takes the next deltas off the queue and processes them. Called with the lock held.
	 */
	abstract void take(PopProcessFunc<T> process, boolean isInInitialList, int limit);

}
