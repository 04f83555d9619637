package dev.reflector.cache;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

import dev.reflector.ConsistencyReport;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceType;
import org.jspecify.annotations.Nullable;

/**
 * A reflector with everything behind it: the list/watch loop, the queue of deltas, the
 * mirror and the hand-over to handlers (client-go: {@code SharedIndexInformer}).
 * <p>
 * It owns three threads: {@code reflector-NAME} reads the server (one thread for each
 * namespace when several are named), {@code reflector-NAME-store} writes the mirror,
 * {@code reflector-NAME-events} calls the handlers.
 *
 * @param <T> the type of the objects
 */
public final class SharedInformer<T> implements Reflector<T> {

	private final Config<T> config;

	private final Indexer<T> indexer;

	private final Counters counters = new Counters();

	private final Verifier<T> verifier;

	private volatile @Nullable Run<T> run;

	/**
	 * Creates a stopped informer.
	 * @param config what it is made of
	 */
	public SharedInformer(Config<T> config) {
		this.config = config;
		this.indexer = new Indexer<>(config.accessor(), config.indexers(), this.counters.errors::increment);
		this.verifier = new Verifier<>(config, this.counters.skipped);
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
	 */
	public synchronized void start() {
		Run<T> last = this.run;
		if (last != null && !last.stopping()) {
			return;
		}
		Run<T> next = new Run<>(this.config, this.indexer, this.counters, last);
		this.run = next;
		next.startAfter((last != null) ? last.stop() : CompletableFuture.completedFuture(null));
	}

	/**
	 * Stops the reflector: requests in flight are cancelled, and the changes that the
	 * mirror already shows are delivered as far as
	 * {@link ReflectorOptions#drainTimeout()} allows. A handler's call in progress is
	 * waited for.
	 * @return completes when all its threads have ended
	 */
	public synchronized CompletionStage<Void> stop() {
		Run<T> last = this.run;
		return (last != null) ? last.stop() : CompletableFuture.completedFuture(null);
	}

	@Override
	public String name() {
		return this.config.name();
	}

	@Override
	public ResourceType resourceType() {
		ResourceType type = this.config.resourceType();
		String plural = (type.plural() == null) ? this.config.listerWatcher().plural() : null;
		return (plural != null) ? type.withPlural(plural) : type;
	}

	@Override
	public List<String> namespaces() {
		return this.config.namespaces();
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
			return new ReflectorStatus(ReflectorState.STOPPED, "", false, this.indexer.size(), 0,
					this.counters.snapshot(), null, null, null, null);
		}
		return run.status();
	}

	/**
	 * Everything a shared informer is made of.
	 *
	 * @param <T> the type of the objects
	 * @param name name of the reflector
	 * @param resourceType type of the objects
	 * @param namespaces namespaces to mirror, empty for all
	 * @param listerWatcher source of lists and watches
	 * @param accessor reads metadata
	 * @param options behaviour
	 * @param indexers index functions by name, in addition to the index by namespace
	 * @param handlers receivers of changes, each with a queue and a thread of its own
	 * @param observer watches the work
	 * @param time source of time
	 * @param random source of jitter
	 * @param threads runs each task on a thread of its own
	 */
	public record Config<T>(String name, ResourceType resourceType, List<String> namespaces,
			ListerWatcher<T> listerWatcher, ResourceAccessor<T> accessor, ReflectorOptions options,
			Map<String, IndexFunction<T>> indexers, List<ResourceEventHandler<T>> handlers, ReflectorObserver observer,
			TimeSource time, RandomGenerator random, Executor threads) {

		public Config {
			namespaces = List.copyOf(namespaces);
			indexers = Map.copyOf(indexers);
			handlers = List.copyOf(handlers);
			observer = GuardedObserver.of(observer);
		}

	}

}
