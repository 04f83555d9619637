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
 * It owns threads while it runs:
 * <ul>
 * <li>{@code reflector-NAME} reads the server. When several namespaces are named, each
 * has a thread.</li>
 * <li>{@code reflector-NAME-store} writes the mirror. A few changes that come alone are
 * written by the thread that brings them.</li>
 * <li>{@code reflector-NAME-events} calls a handler. Each handler has a thread, or
 * several with {@link DeliverySettings#concurrency()}: {@code reflector-NAME-events-1}
 * and so on.</li>
 * <li>{@code reflector-NAME-stream} serves a subscriber of {@link #changes()}.</li>
 * <li>{@code reflector-NAME-snapshot} writes the snapshot, if the mirror is durable, and
 * {@code reflector-NAME-snapshot-io} uses its store.</li>
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

	/** Closes its own source of time, if it has one. */
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
	 * Creates a builder.
	 * @param <T> the type of the objects
	 * @param name name of the reflector, which its threads, log lines and status show
	 * @param listerWatcher source of lists and watches
	 * @param accessor reads metadata
	 * @return the builder
	 */
	public static <T> SharedInformerBuilder<T> builder(String name, ListerWatcher<T> listerWatcher,
			ResourceAccessor<T> accessor) {
		return new SharedInformerBuilder<>(name, listerWatcher, accessor);
	}

	/**
	 * Adds a handler with the resync period of the reflector.
	 * @param handler the handler
	 * @return its registration
	 * @throws IllegalStateException when the reflector is closed
	 * @see #addEventHandler(ResourceEventHandler, Duration)
	 */
	public HandlerRegistration addEventHandler(ResourceEventHandler<T> handler) {
		return addEventHandler(handler, this.setup.loop().options().delivery().resyncPeriod());
	}

	/**
	 * Adds a handler, before the start or at any time after it. The handler first
	 * receives the objects of the mirror, as additions of the initial list, and then
	 * every change; no change is missed or delivered twice. It is called on its own
	 * thread, and only while the reflector runs. The same handler may be added several
	 * times; each registration receives all changes.
	 * @param handler the handler
	 * @param resyncPeriod how often the handler receives all objects again; zero for
	 * never. Less than a second counts as a second. While the reflector runs, it cannot
	 * be less than the smallest period of the handlers that were added before the start,
	 * and without such a period there are no resyncs
	 * @return its registration
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

	/** Starts the delivery to a handler, unless the informer is closed. */
	boolean join(HandlerGroup<T> group) {
		return this.runs.join(group);
	}

	/**
	 * Returns the state and its changes, separately for each subscriber: first the
	 * objects of the mirror, once it is complete, as additions of the initial list, and
	 * then every change. A subscriber gets no more than it has requested, on its own
	 * thread, which exists while it is subscribed and the reflector runs.
	 * <p>
	 * Up to {@link QueueSettings#queueCapacity()} changes wait for a subscriber. Then
	 * changes of one object are merged. When that is not enough, the subscriber gets an
	 * error for which {@link reactor.core.Exceptions#isOverflow} is true. The mirror
	 * never waits for a subscriber. While the reflector is stopped, nothing is delivered;
	 * {@link #close()} completes the stream. Only resyncs that were {@link #resync()
	 * requested} are delivered.
	 * @return the changes
	 */
	public Flux<Change<T>> changes() {
		return new ChangeFlux<>(this);
	}

	/**
	 * Adds indexes, before the start or at any time after it. When this method returns,
	 * readers can use the indexes with all objects of the mirror. Until then, writes of
	 * the mirror wait, but readers do not.
	 * @param indexers index functions by name
	 * @throws IllegalArgumentException when an index with one of the names exists
	 * already; then none is added
	 * @throws IllegalStateException when the reflector is closed
	 */
	public void addIndexers(Map<String, IndexFunction<T>> indexers) {
		Map<String, IndexFunction<T>> added = Map.copyOf(indexers);
		this.runs.requireOpen();
		this.handlers.write(() -> this.indexer.addIndexers(added));
	}

	/**
	 * The mirror.
	 * @return the read-only view
	 */
	public Lister<T> lister() {
		return this.indexer;
	}

	/**
	 * This replica is the one that delivers: handlers begin with all objects, as
	 * additions of the initial list. With a snapshot, this process first becomes its
	 * writer, as soon as the mirror is complete and no other process is; handlers then
	 * begin with what has changed since what those of the other replica have completed.
	 * Does nothing when this replica delivers in that epoch already.
	 * @param identity the identity of this replica, which changes carry
	 * @param epoch the epoch in which it delivers, and in no other
	 * @throws IllegalStateException when the informer is not one of several replicas
	 * @see SharedInformerBuilder#standby
	 */
	public void takeOver(String identity, long epoch) {
		if (this.delivery.takeOver(new Ownership(identity, Ownership.WHOLE, epoch))) {
			flushSnapshot();
		}
	}

	/**
	 * Makes this replica a standby, because another one delivers from now on. Handlers
	 * here receive nothing more, and their queues are dropped. The mirror and streams
	 * continue.
	 * @return a stage that completes when no call of a handler is in progress and another
	 * process can become the writer of the snapshot; while the reflector is just
	 * starting, the latter may take a moment longer
	 * @throws IllegalStateException when the informer is not one of several replicas
	 */
	public CompletionStage<Void> standBy() {
		return this.delivery.standBy(this.runs::last);
	}

	/**
	 * Changes the slots that are mirrored. The mirror removes the objects of other slots
	 * at once, without an event for handlers or streams. If there are new slots,
	 * everything is listed again, and there is no watch until then. If slots were only
	 * given up, the next watch is opened within a few seconds, so that the server no
	 * longer sends their objects. If
	 * {@linkplain dev.reflector.cache.config.WatchSettings#watchOverlap() watches do not
	 * overlap}, it is opened when the current watch ends.
	 * @param slots the slots that are mirrored from now on
	 * @throws IllegalStateException when the informer does not follow slots
	 * @throws IllegalArgumentException when there is no such slot
	 * @see SharedInformerBuilder#slots
	 */
	public void mirrorSlots(DesiredSlots slots) {
		this.delivery.mirror(slots, this.runs.last());
	}

	/**
	 * Starts the delivery of a slot that this replica owns. Handlers receive its objects,
	 * as additions of the initial list, as soon as the mirror has all of them.
	 * @param slot the slot, counted from 0
	 * @param epoch the epoch in which the slot is owned
	 * @throws IllegalStateException when the informer does not follow slots
	 */
	public void acquireSlot(int slot, long epoch) {
		this.delivery.acquire(slot, epoch);
	}

	/**
	 * Ends the delivery of a slot that this replica no longer owns. Handlers receive
	 * nothing more of it, and its queued changes are dropped. The mirror and streams keep
	 * it until {@link #mirrorSlots}.
	 * @param slot the slot, counted from 0
	 * @return a stage that completes when no call of a handler about its objects is in
	 * progress, and another process can become the writer of its snapshot
	 * @throws IllegalStateException when the informer does not follow slots
	 */
	public CompletionStage<Void> releaseSlot(int slot) {
		return this.delivery.release(slot, this.runs::last).minimalCompletionStage();
	}

	/**
	 * Returns the slots that this replica owns and whose changes it does not deliver.
	 * There are three causes: the mirror does not have all of their objects yet; the
	 * mirror does not follow the server, because the reflector is stopped or paused or
	 * its type is no longer served; or a handler has not returned for long or receives
	 * nothing more. Before the first start, and for a type that was not served since the
	 * start, there is nothing to deliver. Takes no lock.
	 * @param patience how long a call of a handler may take until the changes queued
	 * behind it count as not delivered
	 * @return the slots, and for how long
	 * @throws IllegalStateException when the informer does not follow slots
	 */
	public Map<Integer, Duration> undeliveredSlots(Duration patience) {
		return this.delivery.undelivered(patience, this.runs.last());
	}

	/**
	 * Returns the names of the listeners that have not returned from a change for long.
	 * Takes no lock.
	 * @param patience how long a call may take
	 * @return the names, empty when none is busy
	 */
	public List<String> busyListeners(Duration patience) {
		return this.handlers.stalledListeners(patience);
	}

	/**
	 * Writes what all handlers have completed by now to the snapshot at once, rather than
	 * after the commit interval. Does nothing without a snapshot, or while the reflector
	 * is stopped. Waits for a store that does not answer without a limit, unless the
	 * store was silent before.
	 * @return a stage that completes when writing was tried
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
	 * Whether a call of a handler with a change could begin now. A handler that continues
	 * with a change after its call has returned asks this before each step: another
	 * replica may already deliver the object, and newer states of it. Never waits.
	 * @param change a change that a handler of this informer has received
	 * @return whether this replica delivers the object now, in the same epoch as when the
	 * change was delivered
	 */
	public boolean mayDeliver(Change<T> change) {
		return this.setup.gate().mayDeliver(change);
	}

	/**
	 * Begins to read the snapshot of a durable mirror on a separate thread, so that the
	 * mirror is filled sooner after the first {@link #start()}. From now on this process
	 * writes the snapshot, if no other does. Does nothing without a snapshot, or when the
	 * reflector was started before.
	 */
	public void readAhead() {
		this.runs.readAhead();
	}

	/**
	 * Starts the reflector. Does nothing when it runs already. May be called again after
	 * {@link #stop()}; then it keeps the content of the mirror and lists again.
	 * @throws IllegalStateException when it is closed
	 */
	public void start() {
		this.runs.start();
	}

	/**
	 * Stops the reflector. Requests in flight are cancelled. The changes that are in the
	 * mirror are delivered for up to {@link DeliverySettings#drainTimeout()}; the rest
	 * waits for the next start. After that time, a call of a handler that is still in
	 * progress is interrupted, and its change is delivered again after the next start.
	 * Two seconds later, the stop no longer waits for the call. It never waits for a call
	 * that stops the reflector itself or that ends the JVM.
	 * @return a stage that completes when all threads of the reflector have ended, except
	 * for such calls
	 */
	public CompletionStage<Void> stop() {
		return this.runs.stop();
	}

	/**
	 * Stops the reflector for good, without waiting: handlers are removed, and
	 * subscribers of {@link #changes()} complete.
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
	 * Moves the snapshot of a durable mirror away, and empties the mirror: the next start
	 * lists everything, and delivers all objects as added. Blocks while the store works.
	 * @return where the snapshot is now, human-readable
	 * @throws IllegalStateException when the mirror is not durable, or while the
	 * reflector runs
	 * @throws SnapshotException when the store cannot be reached, or another process
	 * writes the snapshot
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
	 * @return the accessor with which the reflector was built
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
