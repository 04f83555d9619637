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
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.HandlerRegistration;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.internal.delivery.HandlerGroup;
import dev.reflector.cache.internal.delivery.Handlers;
import dev.reflector.cache.internal.delivery.ListenerKind;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.loop.LoopSignal;
import dev.reflector.cache.internal.store.Counters;
import dev.reflector.cache.internal.store.Indexer;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A reflector with everything behind it: the list/watch loop, the queue of deltas, the
 * mirror and the hand-over to handlers (client-go: {@code SharedIndexInformer}).
 * <p>
 * It owns threads while it runs: {@code reflector-NAME} reads the server (one thread for
 * each namespace when several are named), {@code reflector-NAME-store} writes the mirror,
 * {@code reflector-NAME-events} calls a handler, of which each has its own (and
 * {@code reflector-NAME-events-1} and so on, with
 * {@link DeliverySettings#concurrency()}); {@code reflector-NAME-stream} serves a
 * subscriber of {@link #changes()}, and {@code reflector-NAME-verify} compares the mirror
 * with the server, when asked to.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class SharedInformer<T> implements Reflector<T>, AutoCloseable {

	private final ResourceType resourceType;

	private final List<String> namespaces;

	private final RunSetup<T> setup;

	/** To be closed with the informer, if it has a source of time of its own. */
	private final @Nullable SystemTimeSource time;

	private final Indexer<T> indexer;

	private final Counters counters = new Counters();

	private final Verifier<T> verifier;

	private final PeriodicVerification<T> verifications;

	private final Handlers<T> handlers;

	private volatile boolean closed;

	private volatile @Nullable Run<T> run;

	SharedInformer(ResourceType resourceType, List<String> namespaces, RunSetup<T> setup,
			@Nullable SystemTimeSource time) {
		LoopSetup<T> loop = setup.loop();
		this.resourceType = resourceType;
		this.namespaces = namespaces;
		this.setup = setup;
		this.time = time;
		this.indexer = new Indexer<>(loop.accessor(), this.counters.errors::increment, namespaces);
		this.verifier = new Verifier<>(setup.name(), setup.scopes(), loop, this.counters.skipped);
		this.verifications = new PeriodicVerification<>(setup.options().verifyPeriod(), loop.time(), this.verifier);
		this.handlers = new Handlers<>(setup.delivery(), this.indexer, this.counters);
	}

	/**
	 * Begins to make an informer.
	 * @param <T> the type of the objects
	 * @param name name of the reflector, which its threads, logs and status have
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
		return addEventHandler(handler, this.setup.options().delivery().resyncPeriod());
	}

	/**
	 * Adds a handler, before the start or at any time after it. The handler begins with
	 * what the mirror holds, as additions of the initial list, and goes on with every
	 * change from there; nothing is missed or told twice. It is called on a thread of its
	 * own, and only while the reflector runs. The same handler may be added several
	 * times; each registration hears everything.
	 * @param handler the handler
	 * @param resyncPeriod how often it wants to hear all objects again; zero for never.
	 * Less than a second counts as a second. While the reflector runs, it cannot be less
	 * than the smallest period asked for before, and is never when that was never (rule
	 * I-31)
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
			throw closedForGood();
		}
		return group;
	}

	synchronized HandlerGroup<T> group(ListenerKind kind, ResourceEventHandler<T> handler, Duration resyncPeriod) {
		Run<T> run = this.run;
		return this.handlers.create(kind, handler, resyncPeriod, run != null && !run.stopping());
	}

	/** Has a handler begin, unless everything has ended. */
	synchronized boolean join(HandlerGroup<T> group) {
		if (this.closed) {
			return false;
		}
		this.handlers.join(group);
		Run<T> run = this.run;
		if (run != null) {
			group.members().forEach(run::attach);
		}
		return true;
	}

	/**
	 * The state and all that happens to it, for each subscriber on its own: what the
	 * mirror holds, once it is complete, as additions of the initial list, and then every
	 * change. A subscriber gets no more than it has requested, on a thread of its own
	 * that exists while it is subscribed and the reflector runs.
	 * <p>
	 * Up to {@link QueueSettings#queueCapacity()} changes wait for a subscriber; then
	 * changes of one object are merged; when that is not enough either, the subscriber
	 * gets an error that {@link reactor.core.Exceptions#isOverflow} knows. The mirror
	 * never waits for a subscriber. A stop of the reflector only interrupts,
	 * {@link #close()} completes. Resyncs are not heard unless {@link #resync() asked
	 * for}.
	 * @return the changes
	 */
	public Flux<Change<T>> changes() {
		return new ChangeFlux<>(this);
	}

	/**
	 * Adds indexes, before the start or at any time after it: each is there for readers
	 * at once, with all that the mirror holds, and follows every change from there (rule
	 * S-34). Writes of the mirror wait meanwhile, readers do not.
	 * @param indexers index functions by name
	 * @throws IllegalArgumentException when there is an index of one of the names
	 * already: then none is added
	 * @throws IllegalStateException when the reflector is closed
	 */
	public void addIndexers(Map<String, IndexFunction<T>> indexers) {
		Map<String, IndexFunction<T>> added = Map.copyOf(indexers);
		synchronized (this) {
			if (this.closed) {
				throw closedForGood();
			}
		}
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
	 * Starts the reflector. Does nothing when it runs already. May be called again after
	 * {@link #stop()}; it then starts with the mirror it has and lists anew.
	 * @throws IllegalStateException when it is closed
	 */
	public synchronized void start() {
		Run<T> last = this.run;
		if (last != null && !last.stopping()) {
			return;
		}
		if (this.closed) {
			throw closedForGood();
		}
		Run<T> next = new Run<>(this.setup, this.indexer, this.handlers, this.counters, last);
		this.run = next;
		next.startAfter((last != null) ? last.stop() : CompletableFuture.completedFuture(null));
		this.verifications.begin(next);
	}

	/**
	 * Stops the reflector: requests in flight are cancelled, and the changes that the
	 * mirror already shows are delivered as far as
	 * {@link DeliverySettings#drainTimeout()} allows; the rest waits for the next start.
	 * A handler's call that still goes on then is interrupted, and its change is told
	 * again after the next start; two seconds later it is not waited for any more. Nor is
	 * a call that stops the reflector itself, or that ends the JVM.
	 * @return completes when all its threads have ended, but for calls that are not
	 * waited for
	 */
	public synchronized CompletionStage<Void> stop() {
		this.verifications.end();
		Run<T> last = this.run;
		return (last != null) ? last.stop() : CompletableFuture.completedFuture(null);
	}

	/**
	 * Stops the reflector for good, without waiting: handlers are removed, and
	 * subscribers of {@link #changes()} complete.
	 */
	@Override
	public void close() {
		synchronized (this) {
			this.closed = true;
		}
		CompletionStage<Void> stopped = stop();
		this.handlers.all().forEach((listener) -> listener.remove(null));
		this.handlers.syncSignal().wake();
		SystemTimeSource time = this.time;
		if (time != null) {
			stopped.whenComplete((nothing, error) -> time.close());
		}
	}

	private IllegalStateException closedForGood() {
		return new IllegalStateException("the reflector '" + name() + "' is closed");
	}

	@Override
	public String name() {
		return this.setup.name();
	}

	@Override
	public ResourceType resourceType() {
		ResourceType type = this.resourceType;
		String plural = (type.plural() == null) ? this.setup.loop().listerWatcher().plural() : null;
		return (plural != null) ? type.withPlural(plural) : type;
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
	public ReflectorState state() {
		Run<T> run = this.run;
		return (run != null) ? run.state() : ReflectorState.STOPPED;
	}

	@Override
	public String lastSyncResourceVersion() {
		Run<T> run = this.run;
		return (run != null) ? run.lastSyncResourceVersion() : "";
	}

	@Override
	public boolean hasSynced() {
		Run<T> run = this.run;
		return run != null && run.hasSynced();
	}

	@Override
	public boolean awaitSynced(Duration timeout) throws InterruptedException {
		this.handlers.syncSignal().await(() -> this.closed || hasSynced(), timeout);
		return hasSynced();
	}

	@Override
	public void resync() {
		Run<T> run = this.run;
		if (run != null) {
			run.resync();
		}
	}

	@Override
	public void relist() {
		signal(new LoopSignal.RelistRequested());
	}

	@Override
	public void pause() {
		signal(new LoopSignal.PauseRequested());
	}

	@Override
	public void resume() {
		this.handlers.resumeStopped();
		signal(new LoopSignal.ResumeRequested());
	}

	@Override
	public CompletionStage<ConsistencyReport> verify() {
		return this.verifier.verify(this.run);
	}

	private void signal(LoopSignal signal) {
		Run<T> run = this.run;
		if (run != null) {
			run.signal(signal);
		}
	}

	@Override
	public ReflectorStatus status() {
		Run<T> run = this.run;
		if (run == null) {
			return new ReflectorStatus(ReflectorState.STOPPED, "", false, this.indexer.size(),
					this.counters.skipped.size(), 0, this.counters.snapshot(), null, null, null, null, null,
					this.handlers.busy(), new ReflectorStatus.Contact(false, null, false));
		}
		return run.status();
	}

}
