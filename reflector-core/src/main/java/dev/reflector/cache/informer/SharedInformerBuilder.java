package dev.reflector.cache.informer;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import dev.reflector.ResourceType;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.internal.delivery.DeliveredSlots;
import dev.reflector.cache.internal.delivery.DeliveryGate;
import dev.reflector.cache.internal.loop.LoopSetup;
import dev.reflector.cache.internal.loop.MirroredPart;
import dev.reflector.cache.internal.loop.ReflectorBehaviour;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.sharding.MirroredSlots;
import dev.reflector.sharding.ShardOwnership;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link SharedInformer}. The documentation of each method names the default.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 * @see SharedInformer#builder(String, ListerWatcher, ResourceAccessor)
 */
public final class SharedInformerBuilder<T> {

	private final String name;

	private final ListerWatcher<T> listerWatcher;

	private final ResourceAccessor<T> accessor;

	private ResourceType resourceType;

	private List<String> namespaces = List.of();

	private ReflectorOptions options = ReflectorOptions.DEFAULT;

	private ReflectorObserver observer = ReflectorObserver.NONE;

	private InformerDelivery.Maker<T> delivery = InformerDelivery::of;

	private @Nullable TimeSource time;

	/** Creates the gate of the delivery, given the number of namespaces. */
	private IntFunction<DeliveryGate<T>> gate = (scopes) -> new DeliveryGate.Always<>();

	private MirroredPart part;

	/** The features that need versions from which another process can continue. */
	private final Set<String> lasting = new TreeSet<>();

	private RandomGenerator random = new Random();

	private Executor threads = SharedInformerBuilder::startThread;

	SharedInformerBuilder(String name, ListerWatcher<T> listerWatcher, ResourceAccessor<T> accessor) {
		this.name = Objects.requireNonNull(name, "'name' must not be null");
		this.listerWatcher = Objects.requireNonNull(listerWatcher, "'listerWatcher' must not be null");
		this.accessor = Objects.requireNonNull(accessor, "'accessor' must not be null");
		this.resourceType = new ResourceType("", "", name, null);
		this.part = MirroredPart.allOf(listerWatcher);
	}

	/**
	 * Sets the type of the objects, with the names of the API server, for status and
	 * logs. The default is a type whose kind is the name of the reflector.
	 * @param resourceType the type
	 * @return this builder
	 */
	public SharedInformerBuilder<T> resourceType(ResourceType resourceType) {
		this.resourceType = resourceType;
		return this;
	}

	/**
	 * Sets the namespaces to mirror, each with its own list and watch. The default is all
	 * namespaces, with one list and watch.
	 * @param namespaces the namespaces, empty for all. One that is named twice counts
	 * once. An empty name stands for all namespaces, as in client-go
	 * @return this builder
	 */
	public SharedInformerBuilder<T> namespaces(Collection<String> namespaces) {
		this.namespaces = namespaces.contains("") ? List.of() : List.copyOf(new LinkedHashSet<>(namespaces));
		return this;
	}

	/**
	 * Sets the options of the reflector. The default is {@link ReflectorOptions#DEFAULT}.
	 * @param options the options
	 * @return this builder
	 */
	public SharedInformerBuilder<T> options(ReflectorOptions options) {
		this.options = options;
		return this;
	}

	/**
	 * Adds an observer of the reflector, in addition to earlier observers. The default is
	 * no observer.
	 * @param observer the observer
	 * @return this builder
	 */
	public SharedInformerBuilder<T> observer(ReflectorObserver observer) {
		this.observer = ReflectorObserver.composite(List.of(this.observer, observer));
		return this;
	}

	/**
	 * Sets the source of time. The default is a {@link SystemTimeSource} that is closed
	 * together with the informer.
	 * @param time the source of time
	 * @return this builder
	 */
	public SharedInformerBuilder<T> time(TimeSource time) {
		this.time = time;
		return this;
	}

	/**
	 * Sets the source of random numbers for jitter. Several threads use it. The default
	 * is a {@link Random}.
	 * @param random the source of random numbers
	 * @return this builder
	 */
	public SharedInformerBuilder<T> random(RandomGenerator random) {
		this.random = random;
		return this;
	}

	/**
	 * Sets the executor. It must run each task on its own thread, because most tasks last
	 * as long as the reflector runs. The default starts a daemon thread for each task.
	 * @param threads the executor
	 * @return this builder
	 */
	public SharedInformerBuilder<T> threads(Executor threads) {
		this.threads = threads;
		return this;
	}

	/**
	 * Makes the mirror durable. After a restart, the mirror continues from a snapshot,
	 * and handlers that were added before the start receive the changes since that
	 * snapshot instead of all objects. The default is a mirror that begins empty.
	 * @param snapshot where and how the snapshot is stored
	 * @return this builder
	 */
	public SharedInformerBuilder<T> snapshot(SnapshotOptions<T> snapshot) {
		this.delivery = InformerDelivery.durable(snapshot);
		this.lasting.add("be durable");
		return this;
	}

	/**
	 * Makes the informer one of several replicas of which only one delivers. The informer
	 * begins as a standby: its mirror follows the server, but its handlers receive
	 * nothing before {@link SharedInformer#takeOver}. By default, the informer delivers
	 * from the start.
	 * @param epoch returns the epoch in which this replica currently leads, or empty when
	 * it does not lead, for example {@code LeaderElector.epoch()}. Called before each
	 * call of a handler, so it must be fast and thread-safe
	 * @return this builder
	 */
	public SharedInformerBuilder<T> standby(Supplier<OptionalLong> epoch) {
		this.part = MirroredPart.allOf(this.listerWatcher);
		this.lasting.remove("follow slots");
		this.gate = (scopes) -> new DeliveryGate.OfLeader<>(epoch);
		return this;
	}

	/**
	 * Makes the informer follow slots of a collection that several replicas divide. At
	 * first, it mirrors and delivers no slots; see {@link SharedInformer#mirrorSlots},
	 * {@link SharedInformer#acquireSlot} and {@link SharedInformer#releaseSlot}. The
	 * source must request the same slots, as a {@code ShardedListerWatcher} does. By
	 * default, the informer follows the whole collection.
	 * @param slots the mirrored slots, shared with the source
	 * @param ownership returns which slots this replica owns; called before each call of
	 * a handler
	 * @param owner the identity of this replica, which is added to changes
	 * @return this builder
	 */
	public SharedInformerBuilder<T> slots(MirroredSlots slots, ShardOwnership ownership, String owner) {
		this.part = MirroredPart.of(slots);
		this.lasting.add("follow slots");
		this.gate = (scopes) -> new DeliveryGate.OfSlots<>(
				new DeliveredSlots<>(slots, ownership, owner, this.accessor, scopes));
		return this;
	}

	/**
	 * Builds the informer. Does not start it.
	 * @return the informer
	 * @throws IllegalStateException when the informer should be durable or follow slots,
	 * but the versions of its source do not outlive the process
	 */
	public SharedInformer<T> build() {
		if (!this.lasting.isEmpty() && !this.listerWatcher.versionsOutliveProcess()) {
			throw new IllegalStateException("The reflector '" + this.name + "' cannot "
					+ String.join(" and ", this.lasting)
					+ ": the versions of its source end with the process, so another process could not continue "
					+ "from them");
		}
		TimeSource time = this.time;
		Runnable closeTime = () -> {
		};
		if (time == null) {
			SystemTimeSource own = new SystemTimeSource();
			time = own;
			closeTime = own::close;
		}
		LoopSetup<T> loop = new LoopSetup<>(this.listerWatcher, this.accessor, this.options,
				ReflectorBehaviour.of(this.options.compatibility()),
				ReflectorObserver.composite(List.of(this.observer)), time, this.random, this.part);
		List<@Nullable String> scopes = new ArrayList<>(this.namespaces);
		if (scopes.isEmpty()) {
			scopes.add(null);
		}
		return new SharedInformer<>(this.resourceType, this.namespaces,
				new RunSetup<>(this.name, scopes, loop, this.threads, this.gate.apply(scopes.size())), closeTime,
				this.delivery);
	}

	private static void startThread(Runnable task) {
		Thread thread = new Thread(task);
		thread.setDaemon(true);
		thread.start();
	}

}
