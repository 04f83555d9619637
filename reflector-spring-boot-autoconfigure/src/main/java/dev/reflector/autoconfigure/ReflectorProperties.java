package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import dev.reflector.autoconfigure.connection.ApiServerProperties;
import dev.reflector.autoconfigure.internal.PropertyChecks;
import dev.reflector.autoconfigure.registration.ReflectedResourceProperties;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.QueueSettings.Overflow;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.event.DeliveryPolicy;
import dev.reflector.event.DeliveryPolicy.OnError;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the reflectors.
 *
 * @param enabled Whether reflectors are auto-configured.
 * @param keepAlive Whether reflectors alone keep the application running, for example
 * when it has no web server.
 * @param apiServer Address of the API server, and settings of the connection.
 * @param watch How to watch.
 * @param list How to list.
 * @param binding How objects become Java objects.
 * @param schemaCheck What happens when a mirrored type does not fit the server's schema:
 * a warning is logged, or the start fails. With 'off', types are not compared.
 * @param compatibility Whether known defects of client-go are kept, for exact parity.
 * @param backoff Delays between attempts.
 * @param resyncPeriod How often every mirrored object is delivered again as an update
 * that changes nothing; zero for never.
 * @param verifyPeriod How often the mirror is compared with the server; zero for never.
 * If mirror and server differ, the collection is listed again.
 * @param queue Queue of changes that wait for the mirror.
 * @param startup Behavior while the application starts.
 * @param events Delivery of changes to listeners.
 * @param health When a reflector counts as unhealthy.
 * @param resources Settings by name of the reflector, which override its annotation or
 * registration, or define a reflector.
 * @since 0.1.0
 */
@ConfigurationProperties("reflector")
@Lazy
public record ReflectorProperties(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean keepAlive,
		@NestedConfigurationProperty @DefaultValue ApiServerProperties apiServer, @DefaultValue Watch watch,
		@DefaultValue List list, @DefaultValue Binding binding, @DefaultValue("warn") SchemaCheck schemaCheck,
		@DefaultValue("none") Compatibility compatibility, @DefaultValue Backoff backoff,
		@DefaultValue("0s") Duration resyncPeriod, @DefaultValue("0s") Duration verifyPeriod, @DefaultValue Queue queue,
		@DefaultValue Startup startup, @DefaultValue Events events, @DefaultValue Health health,
		@DefaultValue Map<String, ReflectedResourceProperties> resources) {

	public ReflectorProperties {
		PropertyChecks.requireNotNegative("reflector.resync-period", resyncPeriod);
		PropertyChecks.requireNotNegative("reflector.verify-period", verifyPeriod);
		resources.forEach((name, resource) -> {
			if (resource.resyncPeriod() != null) {
				PropertyChecks.requireNotNegative("reflector.resources." + name + ".resync-period",
						resource.resyncPeriod());
			}
			Duration poll = resource.pollInterval();
			PropertyChecks.require(poll == null || poll.compareTo(Duration.ofSeconds(1)) >= 0,
					"reflector.resources." + name + ".poll-interval", (poll != null) ? poll : Duration.ZERO,
					"It must be at least one second.");
			requirePositive("reflector.resources." + name + ".max-objects", resource.maxObjects());
			DataSize size = resource.maxSize();
			requirePositive("reflector.resources." + name + ".max-size", (size != null) ? size.toBytes() : null);
		});
	}

	private static void requirePositive(String key, @Nullable Long limit) {
		PropertyChecks.require(limit == null || limit >= 1, key, (limit != null) ? limit : 0,
				"It must be at least 1. Leave it out for no limit.");
	}

	/**
	 * Returns a builder with the options that all reflectors have in common. If no
	 * property is set, they are {@link ReflectorOptions#DEFAULT}, except that a warning
	 * names a listener whose call takes one second. Client-go has no such warning.
	 */
	ReflectorOptions.Builder options() {
		ReflectorOptions.Builder options = ReflectorOptions.builder()
			.minWatchTimeout(this.watch.minTimeout())
			.watchOverlap(this.watch.overlap())
			.bookmarks(this.watch.bookmarks())
			.initialList(this.watch.initialList())
			.internalErrorRetry(this.watch.internalErrorRetry())
			.consistentFirstList(this.list.consistentFirst())
			.backoff(new BackoffSettings(this.backoff.initial(), this.backoff.max(), this.backoff.multiplier(),
					this.backoff.jitter(), this.backoff.resetAfter()))
			.ordering(this.queue.ordering())
			.queueCapacity(this.events.queueCapacity())
			.drainTimeout(this.events.drainTimeout())
			.overflow(this.events.overflow())
			.recreationDetected(this.events.detectRecreation())
			.concurrency(this.events.concurrency())
			.slowListenerThreshold(this.events.slowListenerThreshold())
			.compatibility(this.compatibility)
			.verifyPeriod(this.verifyPeriod);
		Integer pageSize = this.list.pageSize();
		return (pageSize != null) ? options.pageSize(pageSize) : options;
	}

	/** What happens when a mirrored type does not fit the server's schema. */
	public enum SchemaCheck {

		/** A warning is logged. */
		WARN,

		/**
		 * If the start waits for the first sync, it fails. Otherwise, the health of the
		 * reflector is {@code DOWN}.
		 */
		FAIL,

		/** Types are not compared with schemas. */
		OFF

	}

	/**
	 * How to watch.
	 *
	 * @param minTimeout Shortest duration that is requested for a watch; each watch gets
	 * a random duration between this and twice this.
	 * @param overlap How long before the end of a watch the next one is opened; each
	 * watch gets a random time between this and twice this, and zero opens the next one
	 * after the end.
	 * @param bookmarks Whether watches request bookmarks.
	 * @param initialList How to get the full state of a collection: streamed by a watch,
	 * listed, or streamed if the server supports it.
	 * @param internalErrorRetry For how long a watch that fails with internal errors
	 * (status 500) is opened again without a new list.
	 */
	public record Watch(@DefaultValue("5m") Duration minTimeout, @DefaultValue("5s") Duration overlap,
			@DefaultValue("true") boolean bookmarks, @DefaultValue("auto") InitialList initialList,
			@DefaultValue("0s") Duration internalErrorRetry) {

		public Watch {
			PropertyChecks.require(minTimeout.toSeconds() >= 1, "reflector.watch.min-timeout", minTimeout,
					"It must be at least one second.");
			PropertyChecks.requireNotNegative("reflector.watch.min-timeout", minTimeout);
			PropertyChecks.requireNotNegative("reflector.watch.overlap", overlap);
			PropertyChecks.requireNotNegative("reflector.watch.internal-error-retry", internalErrorRetry);
		}

	}

	/**
	 * How to list.
	 *
	 * @param pageSize Number of objects in a page of a list. If it is not set, pages have
	 * 500 objects, and a list from a known version is paged only if the server has paged
	 * an earlier list.
	 * @param consistentFirst Whether the first list of a collection must return the
	 * newest state, instead of a state from the cache of the server.
	 */
	public record List(@Nullable Integer pageSize, @DefaultValue("false") boolean consistentFirst) {

		public List {
			PropertyChecks.require(pageSize == null || pageSize >= 1, "reflector.list.page-size",
					(pageSize != null) ? pageSize : 0, "It must be at least 1.");
		}

	}

	/**
	 * How objects become Java objects.
	 *
	 * @param unreadableType What happens at start when Jackson cannot make objects of a
	 * mirrored type: the start fails, or a warning is logged.
	 */
	public record Binding(@DefaultValue("fail") UnreadableType unreadableType) {

		/** What happens when a type cannot be read. */
		public enum UnreadableType {

			/** The application does not start. */
			FAIL,

			/** A warning is logged, and each such object is skipped. */
			WARN

		}

	}

	/**
	 * Delays between attempts.
	 *
	 * @param initial Delay between the first failure of a list or watch and the next
	 * attempt, before jitter. A value other than the default also disables the shorter
	 * delays for refused connections and expired versions.
	 * @param max Largest delay between two attempts to list or watch, before jitter. A
	 * value other than the default also disables the shorter delays for refused
	 * connections and expired versions.
	 * @param multiplier Factor by which the delay between attempts to list or watch grows
	 * with each failure. A value other than the default also disables the shorter delays
	 * for refused connections and expired versions.
	 * @param jitter Largest fraction of a delay between attempts to list or watch that is
	 * added to the delay at random.
	 * @param resetAfter How long a watch must work before the delays between attempts
	 * start again with the initial delay.
	 */
	public record Backoff(@DefaultValue("800ms") Duration initial, @DefaultValue("30s") Duration max,
			@DefaultValue("2") double multiplier, @DefaultValue("1.0") double jitter,
			@DefaultValue("5s") Duration resetAfter) {

		public Backoff {
			PropertyChecks.requirePositive("reflector.backoff.initial", initial);
			PropertyChecks.require(max.compareTo(initial) >= 0, "reflector.backoff.max", max,
					"It must not be less than 'reflector.backoff.initial'.");
			PropertyChecks.requireNotNegative("reflector.backoff.max", max);
			PropertyChecks.require(multiplier >= 1, "reflector.backoff.multiplier", multiplier,
					"It must be at least 1.");
			PropertyChecks.require(jitter >= 0 && jitter <= 10, "reflector.backoff.jitter", jitter,
					"It must be between 0 and 10.");
			PropertyChecks.requireNotNegative("reflector.backoff.reset-after", resetAfter);
		}

	}

	/**
	 * Queue of changes that wait for the mirror.
	 *
	 * @param ordering Order in which changes reach the mirror: as they arrive, or
	 * accumulated for each object.
	 */
	public record Queue(@DefaultValue("arrival") Ordering ordering) {

	}

	/**
	 * Behavior while the application starts.
	 *
	 * @param waitForSync Whether the application becomes ready only after every reflector
	 * has synced.
	 * @param timeout How long reflectors may take to sync before the application becomes
	 * ready without them, or before a strict start fails.
	 * @param strict Whether the start waits, before the web server opens its port, until
	 * every reflector has synced, and fails after the timeout; no effect if wait-for-sync
	 * is false.
	 */
	public record Startup(@DefaultValue("true") boolean waitForSync, @DefaultValue("60s") Duration timeout,
			@DefaultValue("false") boolean strict) {

		public Startup {
			PropertyChecks.requirePositive("reflector.startup.timeout", timeout);
		}

		/**
		 * Returns how long to wait for the first sync.
		 * @param strict {@code true} for the wait of a strict start, before the web
		 * server opens its port; {@code false} for the wait of the runner after the start
		 * @return the longest time to wait, or {@code null} to not wait
		 */
		@Nullable Duration syncTimeout(boolean strict) {
			return (this.waitForSync && this.strict == strict) ? this.timeout : null;
		}

	}

	/**
	 * Delivery of changes to listeners.
	 *
	 * @param queueCapacity Changes that may wait for the mirror, and in each listener
	 * queue; when a queue is full, the watch is not read.
	 * @param drainTimeout How long queued changes are still delivered when the
	 * application stops, for all listeners together, within
	 * spring.lifecycle.timeout-per-shutdown-phase; then calls in progress are
	 * interrupted.
	 * @param overflow What happens when the queue of a listener is full: changes of one
	 * object are merged, and the watch waits only if none can be merged; or the watch
	 * waits at once.
	 * @param detectRecreation Whether an object that comes back with another uid is
	 * delivered as a deletion and an addition rather than as an update.
	 * @param onError What happens after a listener has failed on an event.
	 * @param retry How a failed delivery is attempted again.
	 * @param slowListenerThreshold How long a listener may take for an event before a
	 * warning names it; zero for no warning.
	 * @param concurrency Number of threads that deliver the changes of each listener
	 * queue; all changes of an object come on the same thread, in order.
	 */
	public record Events(@DefaultValue("10000") int queueCapacity, @DefaultValue("10s") Duration drainTimeout,
			@DefaultValue("coalesce") Overflow overflow, @DefaultValue("true") boolean detectRecreation,
			@DefaultValue("log") OnError onError, @DefaultValue EventRetry retry,
			@DefaultValue("1s") Duration slowListenerThreshold, @DefaultValue("1") int concurrency) {

		public Events {
			PropertyChecks.require(queueCapacity >= 1, "reflector.events.queue-capacity", queueCapacity,
					"It must be at least 1.");
			PropertyChecks.requireNotNegative("reflector.events.drain-timeout", drainTimeout);
			PropertyChecks.requireNotNegative("reflector.events.slow-listener-threshold", slowListenerThreshold);
			PropertyChecks.require(concurrency >= 1, "reflector.events.concurrency", concurrency,
					"It must be at least 1.");
		}

		/**
		 * Returns the policy for failed listeners.
		 * @return the policy, from {@code onError} and {@code retry}
		 */
		public DeliveryPolicy deliveryPolicy() {
			return new DeliveryPolicy(this.onError, this.retry.maxAttempts(), this.retry.delay(),
					this.retry.multiplier(), this.retry.maxDelay());
		}

	}

	/**
	 * How a failed delivery is attempted again.
	 *
	 * @param maxAttempts Number of deliveries of one event to a listener that fails on
	 * it, including the first, if 'reflector.events.on-error' is 'retry' or
	 * 'retry-then-stop'.
	 * @param delay Delay between the failure of a listener and the second delivery of the
	 * event.
	 * @param multiplier Factor by which the delay between deliveries of an event grows
	 * with each failure of a listener.
	 * @param maxDelay Largest delay between two deliveries of an event to a listener that
	 * fails on it.
	 */
	public record EventRetry(@DefaultValue("3") int maxAttempts, @DefaultValue("1s") Duration delay,
			@DefaultValue("2") double multiplier, @DefaultValue("30s") Duration maxDelay) {

		public EventRetry {
			PropertyChecks.require(maxAttempts >= 1, "reflector.events.retry.max-attempts", maxAttempts,
					"It must be at least 1.");
			PropertyChecks.requirePositive("reflector.events.retry.delay", delay);
			PropertyChecks.require(multiplier >= 1, "reflector.events.retry.multiplier", multiplier,
					"It must be at least 1.");
			PropertyChecks.require(maxDelay.compareTo(delay) >= 0, "reflector.events.retry.max-delay", maxDelay,
					"It must not be less than 'reflector.events.retry.delay'.");
			PropertyChecks.requireNotNegative("reflector.events.retry.max-delay", maxDelay);
		}

	}

	/**
	 * When a reflector counts as unhealthy.
	 *
	 * @param failingThreshold How long attempts may fail before a reflector is reported
	 * as down.
	 * @param staleThreshold How long a server that sends bookmarks may send nothing
	 * before a reflector is reported as down; zero for no limit.
	 * @param skippedThreshold Number of objects with an unreadable current version at
	 * which a reflector is reported as down; zero for no limit.
	 */
	public record Health(@DefaultValue("1m") Duration failingThreshold, @DefaultValue("10m") Duration staleThreshold,
			@DefaultValue("0") int skippedThreshold) {

		public Health {
			PropertyChecks.requireNotNegative("reflector.health.failing-threshold", failingThreshold);
			PropertyChecks.requireNotNegative("reflector.health.stale-threshold", staleThreshold);
			PropertyChecks.require(skippedThreshold >= 0, "reflector.health.skipped-threshold", skippedThreshold,
					"It must not be negative.");
		}

	}

}
