package dev.reflector.cache.informer;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

import dev.reflector.ConsistencyReport;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.DeliverySettings;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.delivery.HandlerGroup;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.ListenerKind;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.loop.LoopSignal;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.sharding.DesiredSlots;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A reflector with all its parts: the list/watch loop, the queue of deltas, the mirror
 * and the delivery to handlers (client-go: {@code SharedIndexInformer}).
 * <p>
 * While it runs, it has these threads:
 * <ul>
 * <li>{@code reflector-NAME} reads from the server. With several namespaces, each has its
 * own thread.</li>
 * <li>{@code reflector-NAME-store} writes the mirror. If only a few changes have arrived,
 * the thread that has received them writes them.</li>
 * <li>{@code reflector-NAME-events} calls a handler. Each handler has its own thread, or
 * several threads with {@link DeliverySettings#concurrency()}:
 * {@code reflector-NAME-events-1} and so on.</li>
 * <li>{@code reflector-NAME-stream} serves a subscriber of {@link #changes()}.</li>
 * <li>{@code reflector-NAME-snapshot} writes the snapshot, if the mirror is durable, and
 * {@code reflector-NAME-snapshot-io} calls the store of the snapshot.</li>
 * <li>{@code reflector-NAME-verify} compares the mirror with the server, on request.</li>
 * </ul>
 *
 * <pre class="code">
 * void listen(SharedInformer&lt;Deployment&gt; deployments, BlockingQueue&lt;String&gt; changes) {
 *     // receives what the mirror holds, then every change, until the registration is closed
 *     deployments.addEventHandler((change) -&gt; changes.add(change.type() + " " + change.key()));
 * }
 * </pre>
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class SharedInformer<T> implements Reflector<T>, AutoCloseable {

	private final ResourceType resourceType;

	private final List<String> namespaces;

	private final RunSetup<T> setup;

	/** Closes the source of time, if this informer has created it. */
	private final Runnable closeTime;

	private final Indexer<T> indexer;

	private final Counters counters = new Counters();

	private final Verifier<T> verifier;

	private final Handlers<T> handlers;

	private final InformerDelivery<T> delivery;

	private final Runs<T> runs;

	SharedInformer(ResourceType resourceType, List<String> namespaces, RunSetup<T> setup, Runnable closeTime,
			InformerDelivery.Maker<T> delivery) {
		LoopSetup<T> loop = setup.loop();
		this.resourceType = resourceType;
		this.namespaces = namespaces;
		this.setup = setup;
		this.closeTime = closeTime;
		this.indexer = new Indexer<>(loop.accessor(), this.counters.errors::increment, namespaces);
		this.handlers = new Handlers<>(setup.delivery(), this.indexer, this.counters);
		this.delivery = delivery.make(setup, this.handlers, this.indexer, resourceType, namespaces);
		this.verifier = new Verifier<>(setup.name(), setup.scopes(), loop, this.counters.skipped, this.delivery::share);
		this.runs = new Runs<>(setup, this.indexer, this.counters, this.handlers, this.delivery,
				new PeriodicVerification<>(loop.options().verifyPeriod(), loop.time(), this.verifier));
	}

	/**
	 * Returns a builder for an informer.
	 * @param <T> the type of the objects
	 * @param name the name of the reflector, which appears in its threads, log lines and
	 * status
	 * @param listerWatcher the source of lists and watches
	 * @param accessor reads the metadata of the objects
	 * @return the builder
	 */
	public static <T> SharedInformerBuilder<T> builder(String name, ListerWatcher<T> listerWatcher,
			ResourceAccessor<T> accessor) {
		return new SharedInformerBuilder<>(name, listerWatcher, accessor);
	}

	/**
	 * Adds a handler with the resync period of the reflector.
	 * @param handler the handler
	 * @return the registration of the handler
	 * @throws IllegalStateException when the reflector is closed
	 * @see #addEventHandler(ResourceEventHandler, Duration)
	 */
	public HandlerRegistration addEventHandler(ResourceEventHandler<T> handler) {
		return addEventHandler(handler, this.setup.loop().options().delivery().resyncPeriod());
	}

	/**
	 * Adds a handler, before or after the start. The handler first receives the objects
	 * of the mirror, as additions of the initial list, and then every change; no change
	 * is missed or delivered twice. The handler is called on its own thread, and only
	 * while the reflector runs. The same handler may be added several times; each
	 * registration receives all changes.
	 * @param handler the handler
	 * @param resyncPeriod how often the handler receives all objects again; zero for
	 * never. Less than a second counts as a second. If
	 * {@link DeliverySettings#resyncPeriod()} is zero, there are no resyncs. If the
	 * handler is added after the start, its period cannot be less than
	 * {@link DeliverySettings#resyncPeriod()} and the periods of all handlers that were
	 * added before the start
	 * @return the registration of the handler
	 * @throws IllegalArgumentException when the period is negative
	 * @throws IllegalStateException when the reflector is closed
	 */
	public HandlerRegistration addEventHandler(ResourceEventHandler<T> handler, Duration resyncPeriod) {
		Objects.requireNonNull(handler, "'handler' must not be null");
		if (resyncPeriod.isNegative()) {
			throw new IllegalArgumentException("'resyncPeriod' must not be negative");
		}
		HandlerGroup<T> group = group(ListenerKind.EVENTS, handler, resyncPeriod);
		if (!join(group)) {
			throw this.runs.closedForGood();
		}
		return group;
	}

	HandlerGroup<T> group(ListenerKind kind, ResourceEventHandler<T> handler, Duration resyncPeriod) {
		return this.runs.group(kind, handler, resyncPeriod);
	}

	/**
	 * Starts the delivery to a handler, unless the informer is closed. Returns whether it
	 * has started.
	 */
	boolean join(HandlerGroup<T> group) {
		return this.runs.join(group);
	}

	/**
	 * Returns the objects of the mirror and all later changes as a stream. Each
	 * subscriber first receives the objects of the mirror, once the mirror is complete,
	 * as additions of the initial list, and then every change. A subscriber receives no
	 * more changes than it has requested. Each subscriber has its own thread, which
	 * exists while the subscriber is subscribed and the reflector runs.
	 * <p>
	 * The queue of a subscriber has room for {@link QueueSettings#queueCapacity()}
	 * changes. If the queue is full, changes of the same object are merged. If merging is
	 * not enough, the subscriber receives an error for which
	 * {@link reactor.core.Exceptions#isOverflow} returns {@code true}. The mirror never
	 * waits for a subscriber. While the reflector is stopped, nothing is delivered;
	 * {@link #close()} completes the stream. The stream contains only resyncs that were
	 * {@link #resync() requested}.
	 * @return the stream of changes
	 */
	public Flux<Change<T>> changes() {
		return new ChangeFlux<>(this);
	}

	/**
	 * Adds indexes, before or after the start. When this method returns, the indexes
	 * contain all objects of the mirror. Until then, writes of the mirror wait, but
	 * readers do not.
	 * @param indexers the index functions by name
	 * @throws IllegalArgumentException when an index with one of the names already
	 * exists; then no index is added
	 * @throws IllegalStateException when the reflector is closed
	 */
	public void addIndexers(Map<String, IndexFunction<T>> indexers) {
		Map<String, IndexFunction<T>> added = Map.copyOf(indexers);
		this.runs.requireOpen();
		this.handlers.write(() -> this.indexer.addIndexers(added));
	}

	/**
	 * Returns the mirror.
	 * @return a read-only view of the mirror
	 */
	public Lister<T> lister() {
		return this.indexer;
	}

	/**
	 * Makes this replica the one that delivers. Handlers begin with all objects, as
	 * additions of the initial list. If there is a snapshot, handlers begin later: this
	 * process first becomes the writer of the snapshot, as soon as the mirror is complete
	 * and no other process is the writer. Handlers then first receive the changes that
	 * the handlers of the previous replica have not completed. Does nothing when this
	 * replica already delivers in this epoch.
	 * @param identity the identity of this replica, which is added to changes
	 * @param epoch the only epoch in which this replica delivers
	 * @throws IllegalStateException when the informer is not one of several replicas
	 * @see SharedInformerBuilder#standby
	 */
	public void takeOver(String identity, long epoch) {
		if (this.delivery.takeOver(new Ownership(identity, Ownership.WHOLE, epoch))) {
			flushSnapshot();
		}
	}

	/**
	 * Makes this replica a standby, because another replica delivers from now on.
	 * Handlers of this replica receive nothing more, and their queues are dropped. The
	 * mirror and streams continue.
	 * @return a stage that completes when no call of a handler is in progress and another
	 * process can become the writer of the snapshot. If the reflector is just starting,
	 * or the store does not respond, the stage may complete before another process can
	 * become the writer
	 * @throws IllegalStateException when the informer is not one of several replicas
	 */
	public CompletionStage<Void> standBy() {
		return this.delivery.standBy(this.runs::last);
	}

	/**
	 * Changes the set of mirrored slots. The mirror removes the objects of other slots at
	 * once, without an event for handlers or streams. If there are new slots, everything
	 * is listed again, and no watch is open until the list is complete. If slots were
	 * only removed, the next watch is opened within a few seconds, so that the server no
	 * longer sends the objects of these slots. If
	 * {@linkplain dev.reflector.cache.config.WatchSettings#watchOverlap() watches do not
	 * overlap}, the next watch is opened when the current watch ends.
	 * @param slots the slots that are mirrored from now on
	 * @throws IllegalStateException when the informer does not follow slots
	 * @throws IllegalArgumentException when there is no such slot
	 * @see SharedInformerBuilder#slots
	 */
	public void mirrorSlots(DesiredSlots slots) {
		this.delivery.mirror(slots, this.runs.last());
	}

	/**
	 * Starts the delivery of a slot that this replica owns. Handlers receive the objects
	 * of the slot, as additions of the initial list, as soon as the mirror contains all
	 * of them.
	 * @param slot the number of the slot, counted from 0
	 * @param epoch the epoch in which this replica owns the slot
	 * @throws IllegalStateException when the informer does not follow slots
	 */
	public void acquireSlot(int slot, long epoch) {
		this.delivery.acquire(slot, epoch);
	}

	/**
	 * Ends the delivery of a slot that this replica no longer owns. Handlers receive no
	 * more changes of the slot, and its queued changes are dropped. The mirror and
	 * streams keep the slot until {@link #mirrorSlots} removes it.
	 * @param slot the number of the slot, counted from 0
	 * @return a stage that completes when no call of a handler with an object of the slot
	 * is in progress, and another process can become the writer of the slot's snapshot.
	 * If the store has stopped responding, the stage does not wait until another process
	 * can become the writer
	 * @throws IllegalStateException when the informer does not follow slots
	 */
	public CompletionStage<Void> releaseSlot(int slot) {
		return this.delivery.release(slot, this.runs::last).minimalCompletionStage();
	}

	/**
	 * Returns the slots that this replica owns but does not deliver. There are three
	 * possible causes: the mirror does not yet contain all objects of the slot; the
	 * mirror does not follow the server, because the reflector is stopped or paused or
	 * its type is no longer served; or a call of a handler takes too long, or a handler
	 * has stopped. Returns no slots before the first start, or if the type has never been
	 * served since the start. Takes no lock.
	 * @param patience how long a call of a handler may take before later changes count as
	 * not delivered
	 * @return for each slot, how long it has not been delivered
	 * @throws IllegalStateException when the informer does not follow slots
	 */
	public Map<Integer, Duration> undeliveredSlots(Duration patience) {
		return this.delivery.undelivered(patience, this.runs.last());
	}

	/**
	 * Returns the names of the listeners whose current call takes too long. Takes no
	 * lock.
	 * @param patience how long a call may take before its listener is returned
	 * @return the names, empty when there is no such listener
	 */
	public List<String> busyListeners(Duration patience) {
		return this.handlers.stalledListeners(patience);
	}

	/**
	 * Writes the state that all handlers have completed to the snapshot at once, rather
	 * than after the commit interval. Does nothing without a snapshot, or while the
	 * reflector is stopped. If the store stops responding, the stage does not complete
	 * until the store responds or the reflector has stopped. If the store had already
	 * stopped responding, the stage completes at once.
	 * @return a stage that completes after the write, whether it succeeds or fails
	 */
	public CompletionStage<Void> flushSnapshot() {
		Run<T> run = this.runs.last();
		return ((run != null) ? run.flushSnapshot() : CompletableFuture.<Void>completedFuture(null))
			.minimalCompletionStage();
	}

	@Override
	public boolean isStandby() {
		return this.handlers.isStandby() || !this.setup.gate().isOpen();
	}

	/**
	 * Whether a handler could be called with a change now. A handler that still works on
	 * a change after its call has returned should check this before each step: another
	 * replica may already deliver newer states of the object. Never waits.
	 * @param change a change that a handler of this informer has received
	 * @return whether this replica currently delivers the object, and in the same epoch
	 * in which the change was delivered
	 */
	public boolean mayDeliver(Change<T> change) {
		return this.setup.gate().mayDeliver(change);
	}

	/**
	 * Whether the server may have an object. This is {@code true} for each object of the
	 * mirror. It is also {@code true} for an object that the mirror lacks because the
	 * object cannot be read, or because the mirror has not reached the object's version.
	 * A handler that deletes elsewhere what the mirror lacks should check this first.
	 * Never waits.
	 * @param key the key of the object
	 * @param resourceVersion the last known version of the object, empty when it is not
	 * known
	 * @return {@code false} if the object does not exist in the state of the server that
	 * the mirror has reached
	 */
	public boolean mayExist(ResourceKey key, String resourceVersion) {
		return this.indexer.contains(key) || this.counters.skipped.contains(key) || this.counters.skipped.isIncomplete()
				|| this.indexer.isBehind(key, resourceVersion);
	}

	/**
	 * Begins to read the snapshot of a durable mirror on a separate thread, so that the
	 * mirror is filled sooner after the first {@link #start()}. From now on, this process
	 * is the writer of the snapshot, unless another process is. Does nothing without a
	 * snapshot, or when the reflector was already started.
	 */
	public void readAhead() {
		this.runs.readAhead();
	}

	/**
	 * Starts the reflector. Does nothing when it is already running. May be called again
	 * after {@link #stop()}: the reflector then keeps the content of the mirror and lists
	 * again.
	 * @throws IllegalStateException when the reflector is closed
	 */
	public void start() {
		this.runs.start();
	}

	/**
	 * Stops the reflector. Requests in progress are cancelled. Queued changes are
	 * delivered for up to {@link DeliverySettings#drainTimeout()}; the rest is delivered
	 * after the next start. If a call of a handler is still in progress after this time,
	 * the call is interrupted, and its change is delivered again after the next start.
	 * Two seconds later, the returned stage no longer waits for the call. The stage never
	 * waits for a call of a handler that itself stops the reflector or ends the JVM.
	 * @return a stage that completes when all threads of the reflector have ended, except
	 * threads with calls that the stage does not wait for
	 */
	public CompletionStage<Void> stop() {
		return this.runs.stop();
	}

	/**
	 * Stops the reflector permanently, without waiting. Handlers are removed, and the
	 * streams of {@link #changes()} complete.
	 */
	@Override
	public void close() {
		CompletionStage<Void> stopped = this.runs.close();
		stopped.whenComplete((nothing, error) -> this.delivery.close());
		this.handlers.all().forEach((listener) -> listener.remove(null));
		this.handlers.syncSignal().wake();
		stopped.whenComplete((nothing, error) -> this.closeTime.run());
	}

	@Override
	public ReflectorStatus.@Nullable Durability durability() {
		return this.delivery.durability();
	}

	/**
	 * Moves the snapshot of a durable mirror aside, and empties the mirror. The next
	 * start lists everything, and delivers all objects as added. Blocks while the store
	 * works.
	 * @return the place of the moved snapshot, human-readable
	 * @throws IllegalStateException when the mirror is not durable, or while the
	 * reflector runs
	 * @throws SnapshotException when the store cannot be reached, or when another process
	 * is the writer of the snapshot
	 */
	public String resetSnapshot() {
		return this.runs.reset();
	}

	@Override
	public String name() {
		return this.setup.name();
	}

	/**
	 * Returns the accessor that reads keys and versions of the objects.
	 * @return the accessor that was passed to the builder
	 */
	public ResourceAccessor<T> accessor() {
		return this.setup.loop().accessor();
	}

	@Override
	public ResourceType resourceType() {
		String plural = (this.resourceType.plural() == null) ? this.setup.loop().listerWatcher().plural() : null;
		return (plural != null) ? this.resourceType.withPlural(plural) : this.resourceType;
	}

	@Override
	public List<String> namespaces() {
		return this.namespaces;
	}

	@Override
	public String labelSelector() {
		return this.setup.loop().listerWatcher().labelSelector();
	}

	@Override
	public String fieldSelector() {
		return this.setup.loop().listerWatcher().fieldSelector();
	}

	@Override
	public ReflectorStatus.@Nullable Shard shard() {
		ReflectorStatus.Shard shard = this.setup.loop().listerWatcher().shard();
		return (shard != null) ? this.delivery.withCounts(shard) : null;
	}

	@Override
	public ReflectorState state() {
		return this.runs.state();
	}

	@Override
	public String lastSyncResourceVersion() {
		return this.runs.lastSyncResourceVersion();
	}

	@Override
	public boolean hasSynced() {
		return this.runs.hasSynced();
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		if (this.runs.isUntouched()) {
			EarlyWait.warn(name(), timeout);
		}
		this.handlers.syncSignal().await(() -> this.runs.isClosed() || hasSynced(), timeout);
		return hasSynced();
	}

	@Override
	public void resync() {
		Run<T> run = this.runs.last();
		if (run != null) {
			run.resync();
		}
	}

	@Override
	public void relist() {
		this.runs.signal(new LoopSignal.RelistRequested());
	}

	@Override
	public void pause() {
		this.runs.signal(new LoopSignal.PauseRequested());
	}

	@Override
	public void resume() {
		this.handlers.resumeStopped();
		this.runs.signal(new LoopSignal.ResumeRequested());
	}

	@Override
	public CompletionStage<ConsistencyReport> verify() {
		return this.verifier.verify(this.runs.last());
	}

	@Override
	public List<ReflectorStatus.Skipped> skippedObjects() {
		return this.counters.skipped.sample();
	}

	@Override
	public ReflectorStatus status() {
		return this.runs.status();
	}

}
