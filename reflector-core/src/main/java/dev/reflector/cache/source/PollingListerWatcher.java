package dev.reflector.cache.source;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

import dev.reflector.ResourceKey;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A source for objects that can be read but not watched, for example from a REST API, a
 * table or a folder. It periodically gets all objects, and compares them with the
 * previous poll to find added, changed and deleted ones. The objects need no metadata:
 * this source creates their versions, and is also the {@link ResourceAccessor} of its
 * objects.
 *
 * <pre class="code">
 * &#064;Bean
 * PollingListerWatcher&lt;Site&gt; sites(Callable&lt;List&lt;Site&gt;&gt; inventory) {
 *     return PollingListerWatcher.of(java.time.Duration.ofSeconds(10), inventory, Site::name);
 * }
 *
 * record Site(String name, String city) {
 * }
 * </pre>
 * <p>
 * <b>Changes.</b> An object has changed if it is not equal to the object of the previous
 * poll. So its class must define {@code equals}, as a record does, and must be immutable.
 * States between two polls are missed. An empty result means that there are no objects,
 * and deletes all of them from the mirror. If the function cannot get the objects, it
 * must throw.
 * <p>
 * <b>Failures.</b> A poll fails if the function throws, returns {@code null} or two
 * different objects of the same name, or does not end in time. The mirror then keeps its
 * objects, and the poll is reported and repeated like a failed request to a server.
 * Operators see the message of an exception of the function.
 * <p>
 * <b>Threads.</b> The function is called on a thread of this source, so it may block. It
 * is interrupted at the timeout, when the watch to which the poll belongs ends, which is
 * every few minutes, and when the reflector pauses, lists again or stops. The result of
 * an interrupted poll is not used, and is not reported as a failure except at the
 * timeout. A poll never begins before the previous one has ended. The period counts from
 * the end of a poll.
 * <p>
 * The versions are lost when the process ends, so a mirror of such a source can neither
 * be durable nor be divided into slots. Each reflector needs its own source. Thread-safe.
 *
 * @param <T> the type of the objects
 * @since 0.1.0
 */
public final class PollingListerWatcher<T> implements ListerWatcher<T>, ResourceAccessor<T> {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final long IDLE_SECONDS = 60;

	private final Duration period;

	private final Callable<? extends Collection<? extends T>> objects;

	private final Function<? super T, ResourceKey> keys;

	private final Duration timeout;

	/** Held during a poll. */
	private final ReentrantLock polling = new ReentrantLock();

	private final PolledObjects<T> polled;

	/**
	 * One thread, because polls do not overlap. It ends when it is idle. The shared
	 * threads of Reactor are not used, because the application may block them.
	 */
	private final Scheduler threads = Schedulers.fromExecutorService(executor(), "reflector-poll");

	private PollingListerWatcher(Duration period, Callable<? extends Collection<? extends T>> objects,
			Function<? super T, ResourceKey> keys, Duration timeout) {
		this.period = positive(period, "period");
		this.objects = objects;
		this.keys = keys;
		this.timeout = positive(timeout, "timeout");
		this.polled = new PolledObjects<>(keys);
	}

	/**
	 * Creates a source of the objects that a function returns. A poll fails after 30
	 * seconds.
	 * @param <T> the type of the objects
	 * @param period the time between the end of a poll and the next poll
	 * @param objects returns all current objects
	 * @param name returns the name of an object, which must be unique
	 * @return the source
	 * @throws IllegalArgumentException when the period is not positive
	 */
	public static <T> PollingListerWatcher<T> of(Duration period, Callable<? extends Collection<? extends T>> objects,
			Function<? super T, String> name) {
		return new PollingListerWatcher<>(period, objects,
				(object) -> ResourceKey.of(null, named(object, name.apply(object))), TIMEOUT);
	}

	/**
	 * Creates a source of the objects that a publisher emits, for example the response of
	 * a {@code WebClient}. A poll fails after 30 seconds.
	 * @param <T> the type of the objects
	 * @param period the time between the end of a poll and the next poll
	 * @param objects returns a publisher of all current objects
	 * @param name returns the name of an object, which must be unique
	 * @return the source
	 * @throws IllegalArgumentException when the period is not positive
	 */
	public static <T> PollingListerWatcher<T> ofPublisher(Duration period,
			Supplier<? extends Publisher<? extends T>> objects, Function<? super T, String> name) {
		return of(period, () -> Flux.<T>from(objects.get()).collectList().block(), name);
	}

	/**
	 * Returns a source like this one, for objects with namespaces. Without namespaces,
	 * the lists of a reflector that mirrors only some namespaces fail.
	 * @param namespace returns the namespace of an object
	 * @return a new source
	 */
	public PollingListerWatcher<T> withNamespace(Function<? super T, String> namespace) {
		Function<? super T, ResourceKey> key = this.keys;
		return new PollingListerWatcher<>(this.period, this.objects,
				(object) -> ResourceKey.of(namespace.apply(object), key.apply(object).name()), this.timeout);
	}

	/**
	 * Returns a source like this one, with another timeout for a poll.
	 * @param timeout the time after which a poll is interrupted and fails. It includes
	 * the wait for the end of another poll
	 * @return a new source
	 * @throws IllegalArgumentException when the timeout is not positive
	 */
	public PollingListerWatcher<T> withTimeout(Duration timeout) {
		return new PollingListerWatcher<>(this.period, this.objects, this.keys, timeout);
	}

	private static ExecutorService executor() {
		ThreadPoolExecutor executor = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(), (poll) -> {
					Thread thread = new Thread(poll, "reflector-poll");
					thread.setDaemon(true);
					return thread;
				});
		executor.allowCoreThreadTimeOut(true);
		return executor;
	}

	private static String named(Object object, @Nullable String name) {
		if (name == null || name.isEmpty()) {
			throw new IllegalStateException(
					"The poll has returned an object of " + object.getClass().getName() + " without a name");
		}
		return name;
	}

	private static Duration positive(Duration duration, String name) {
		if (duration.isNegative() || duration.isZero()) {
			throw new IllegalArgumentException("'" + name + "' must be positive, and is " + duration);
		}
		// timers count nanoseconds: a longer time is the longest that they can count
		return Duration.ofNanos(TimeUnit.NANOSECONDS.convert(duration));
	}

	@Override
	public Mono<ListPage<T>> list(ListOptions options) {
		return poll(false).map((version) -> this.polled.page(options.namespace()));
	}

	/**
	 * Polls before the watch opens, unless a poll has ended within the period. So no
	 * watch opens while the objects cannot be read.
	 */
	@Override
	public Flux<WatchEvent<T>> watch(WatchOptions options) {
		if (options.sendInitialEvents()) {
			return Flux.error(failure(400, "Objects that are polled are listed"));
		}
		return Flux.defer(() -> {
			AtomicLong reached = new AtomicLong(this.polled.beginning(number(options.resourceVersion())));
			Mono<Long> first = this.polled.untilDue(this.period).isZero() ? poll(true) : Mono.just(0L);
			Flux<WatchEvent<T>> changes = Mono
				.defer(() -> poll(true).delaySubscription(this.polled.untilDue(this.period)))
				.repeat()
				.startWith(0L)
				.concatMapIterable((version) -> changes(options.namespace(), reached), 1);
			return first.thenMany(Flux.concat(Mono.just(new WatchEvent.Opened<T>()), changes)).take(options.timeout());
		});
	}

	private List<WatchEvent<T>> changes(@Nullable String namespace, AtomicLong reached) {
		List<WatchEvent<T>> changes = new ArrayList<>();
		long version = this.polled.changesAfter(reached.get(), namespace, changes);
		if (version < 0) {
			throw failure(410, "Changes after version " + reached.get() + " are forgotten");
		}
		if (reached.getAndSet(version) != version) {
			changes.add(new WatchEvent.Bookmark<>(Long.toString(version), false));
		}
		return changes;
	}

	/** Parses a version. A version that is not from this source counts as too old. */
	private static long number(String resourceVersion) {
		try {
			return Long.parseLong(resourceVersion);
		}
		catch (NumberFormatException ex) {
			return -1;
		}
	}

	/**
	 * Gets all objects and compares them with the result of the previous poll.
	 * @param ifDue whether to skip this poll if another poll has just ended, less than a
	 * period ago. Watches of several namespaces share polls in this way
	 */
	private Mono<Long> poll(boolean ifDue) {
		return Mono.fromCallable(() -> pollNow(ifDue))
			.subscribeOn(this.threads)
			.timeout(this.timeout, Mono
				.error(() -> new TimeoutException("The poll has not ended after " + this.timeout.toMillis() + " ms")));
	}

	private long pollNow(boolean ifDue) throws Exception {
		this.polling.lockInterruptibly();
		try {
			if (ifDue && !this.polled.untilDue(this.period).isZero()) {
				return 0;
			}
			Collection<? extends T> objects = this.objects.call();
			if (objects == null) {
				throw new IllegalStateException(
						"The poll has returned null. Without objects, it must return an empty collection");
			}
			return this.polled.update(objects);
		}
		catch (Error ex) {
			throw new ExecutionException("The poll has died of " + ex, JvmFailureException.passable(ex));
		}
		finally {
			this.polling.unlock();
		}
	}

	private static ApiException failure(int code, String message) {
		return new ApiException(message, Status.ofHttp(code, message), Duration.ZERO);
	}

	@Override
	public boolean isSame(T held, T received) {
		return held.equals(received);
	}

	/**
	 * Always returns {@code false}, because an object that a later poll has not found has
	 * the version of its deletion, even in an earlier event.
	 */
	@Override
	public boolean watchesOverlap() {
		return false;
	}

	/** Always returns {@code false}, because a new process counts from the beginning. */
	@Override
	public boolean versionsOutliveProcess() {
		return false;
	}

	@Override
	public ResourceKey key(T object) {
		return this.keys.apply(object);
	}

	/**
	 * Returns the version that this source has given to an object.
	 * @param object the same instance that this source has returned, not just an equal
	 * object
	 * @return the version, empty for any other instance
	 */
	@Override
	public String resourceVersion(T object) {
		return this.polled.version(object);
	}

}
