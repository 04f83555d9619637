package dev.reflector.cache;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceType;

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

	/**
	 * Creates a stopped informer.
	 * @param config what it is made of
	 */
	public SharedInformer(Config<T> config) {
		this.config = config;
	}

	/**
	 * The mirror.
	 * @return the read-only view
	 */
	public Lister<T> lister() {
		throw new IllegalStateException(this.config.name());
	}

	/**
	 * Starts the reflector. Does nothing when it runs already. May be called again after
	 * {@link #stop()}; it then starts with the mirror it has and lists anew.
	 */
	public void start() {
	}

	/**
	 * Stops the reflector: requests in flight are cancelled, changes still queued are
	 * dropped, the handler's call in progress is waited for.
	 * @return completes when all its threads have ended
	 */
	public CompletionStage<Void> stop() {
		throw new IllegalStateException(this.config.name());
	}

	@Override
	public String name() {
		return this.config.name();
	}

	@Override
	public ResourceType resourceType() {
		return this.config.resourceType();
	}

	@Override
	public List<String> namespaces() {
		return this.config.namespaces();
	}

	@Override
	public ReflectorState state() {
		return ReflectorState.STOPPED;
	}

	@Override
	public String lastSyncResourceVersion() {
		return "";
	}

	@Override
	public boolean hasSynced() {
		return false;
	}

	@Override
	public void resync() {
	}

	@Override
	public void relist() {
	}

	@Override
	public void pause() {
	}

	@Override
	public void resume() {
	}

	@Override
	public ReflectorStatus status() {
		throw new IllegalStateException(this.config.name());
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
		}

	}

}
