package dev.reflector.autoconfigure;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import dev.reflector.cache.config.Compatibility;
import dev.reflector.cache.config.ListSettings.InitialList;
import dev.reflector.cache.config.QueueSettings.Ordering;
import dev.reflector.cache.config.QueueSettings.Overflow;
import dev.reflector.client.options.Compression;
import dev.reflector.client.options.HttpVersion;
import dev.reflector.client.options.ObjectFormat;
import dev.reflector.event.DeliveryPolicy;
import dev.reflector.event.DeliveryPolicy.OnError;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the reflectors.
 *
 * @param enabled Whether reflectors are auto-configured.
 * @param keepAlive Whether the application keeps running for the sake of its reflectors
 * alone, when it has no web server or the like.
 * @param apiServer Where the API server is and how to talk to it.
 * @param watch How to watch.
 * @param list How to list.
 * @param binding How objects become Java objects.
 * @param compatibility Whether known defects of client-go are kept, for exact parity.
 * @param backoff Delays between attempts.
 * @param resyncPeriod How often every mirrored object is delivered again as an update
 * that changes nothing; zero for never.
 * @param verifyPeriod How often the mirror is compared with the server, and listed anew
 * when they differ; zero for never.
 * @param queue How changes wait for the mirror.
 * @param startup What happens while the application starts.
 * @param events How changes wait for listeners.
 * @param health When a reflector counts as unhealthy.
 * @param resources Settings by name of the reflector, which override its annotation or
 * stand for themselves.
 * @since 0.1.0
 */
@ConfigurationProperties("reflector")
@Lazy
public record ReflectorProperties(@DefaultValue("true") boolean enabled, @DefaultValue("true") boolean keepAlive,
		@DefaultValue ApiServer apiServer, @DefaultValue Watch watch, @DefaultValue List list,
		@DefaultValue Binding binding, @DefaultValue("none") Compatibility compatibility, @DefaultValue Backoff backoff,
		@DefaultValue("0s") Duration resyncPeriod, @DefaultValue("0s") Duration verifyPeriod, @DefaultValue Queue queue,
		@DefaultValue Startup startup, @DefaultValue Events events, @DefaultValue Health health,
		@DefaultValue Map<String, Resource> resources) {

	public ReflectorProperties {
		requireNotNegative("reflector.resync-period", resyncPeriod);
		requireNotNegative("reflector.verify-period", verifyPeriod);
		resources.forEach((name, resource) -> {
			if (resource.resyncPeriod() != null) {
				requireNotNegative("reflector.resources." + name + ".resync-period", resource.resyncPeriod());
			}
		});
	}

	private static @Nullable String textOrNull(@Nullable String value) {
		return StringUtils.hasText(value) ? value.strip() : null;
	}

	private static void requirePositive(String key, Duration value) {
		require(!value.isZero(), key, value, "It must be positive.");
		requireNotNegative(key, value);
	}

	private static void requireNotNegative(String key, Duration value) {
		require(!value.isNegative(), key, value, "It must not be negative.");
		// nobody waits for longer, and longer ones do not fit everywhere
		requireAtMost(key, value, 365);
	}

	private static void requireAtMost(String key, Duration value, int days) {
		require(value.compareTo(Duration.ofDays(days)) <= 0, key, value, "It must be " + days + "d at most.");
	}

	private static void require(boolean condition, String key, Object value, String reason) {
		if (!condition) {
			throw new InvalidConfigurationPropertyValueException(key, value, reason);
		}
	}

	/**
	 * Where the API server is and how to talk to it.
	 *
	 * @param url Base URL of the API server; wins over any kubeconfig and over the
	 * service account.
	 * @param required Whether it is an error at start when no API server is configured or
	 * found.
	 * @param kubeconfig Kubeconfig file, by default the files of KUBECONFIG, else
	 * ~/.kube/config.
	 * @param context Context of the kubeconfig, by default its current one.
	 * @param token Bearer token that is sent to the API server.
	 * @param tokenFile File with the bearer token that is sent to the API server, read
	 * again when it changes.
	 * @param sslBundle Name of the SSL bundle used for the connection to the API server,
	 * followed when it is reloaded.
	 * @param namespace Namespace mirrored by reflectors that name none, by default all.
	 * @param httpVersion Version of HTTP to speak to the API server; with HTTP/2, which
	 * needs https, watches share connections.
	 * @param connectTimeout How long establishing a connection to the API server may
	 * take.
	 * @param responseTimeout How long the API server may take to begin to answer a
	 * request, by default 65 seconds, or the idle timeout if that is shorter.
	 * @param idleTimeout How long a connection to the API server with a request in
	 * progress may be silent before it counts as lost.
	 * @param eventTimeout How long one event of a watch may take to arrive, from its
	 * first byte to its last, before the watch is given up and opened again.
	 * @param maxListConnections Connections to the API server that may serve lists at a
	 * time, with Reactor Netty; watches have connections of their own.
	 * @param maxObjectSize Largest object that is accepted from the API server.
	 * @param compression Which answers the server is asked to compress, which pays over
	 * slow links: none, lists, or all, which is watches as well.
	 * @param format Format in which objects are asked for: JSON, or CBOR where the server
	 * offers it.
	 */
	public record ApiServer(@Nullable URI url, @DefaultValue("false") boolean required, @Nullable String kubeconfig,
			@Nullable String context, @Nullable String token, @Nullable String tokenFile, @Nullable String sslBundle,
			@Nullable String namespace, @DefaultValue("http-1-1") HttpVersion httpVersion,
			@DefaultValue("10s") Duration connectTimeout, @Nullable Duration responseTimeout,
			@DefaultValue("85s") Duration idleTimeout, @DefaultValue("60s") Duration eventTimeout,
			@DefaultValue("16") int maxListConnections, @DefaultValue("16MB") DataSize maxObjectSize,
			@DefaultValue("none") Compression compression, @DefaultValue("json") ObjectFormat format) {

		private static final String URL = "reflector.api-server.url";

		private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(65);

		/**
		 * Takes empty text for unset.
		 */
		public ApiServer {
			url = (url != null && !url.toString().isEmpty()) ? url : null;
			kubeconfig = textOrNull(kubeconfig);
			context = textOrNull(context);
			token = textOrNull(token);
			tokenFile = textOrNull(tokenFile);
			sslBundle = textOrNull(sslBundle);
			namespace = textOrNull(namespace);
			requireUsable(url);
			requireOneToken(token, tokenFile);
			requirePositive("reflector.api-server.connect-timeout", connectTimeout);
			requireAtMost("reflector.api-server.connect-timeout", connectTimeout, 1);
			requirePositive("reflector.api-server.idle-timeout", idleTimeout);
			requirePositive("reflector.api-server.event-timeout", eventTimeout);
			if (responseTimeout == null) {
				responseTimeout = (idleTimeout.compareTo(RESPONSE_TIMEOUT) < 0) ? idleTimeout : RESPONSE_TIMEOUT;
			}
			requirePositive("reflector.api-server.response-timeout", responseTimeout);
			require(maxListConnections >= 1, "reflector.api-server.max-list-connections", maxListConnections,
					"It must be at least 1.");
			require(maxObjectSize.toBytes() > 0 && maxObjectSize.compareTo(DataSize.ofGigabytes(1)) <= 0,
					"reflector.api-server.max-object-size", maxObjectSize, "It must be between 1B and 1GB.");
		}

		private static void requireUsable(@Nullable URI url) {
			if (url == null) {
				return;
			}
			if (url.getRawUserInfo() != null) {
				throw new InvalidConfigurationPropertyValueException(URL, "******",
						"It must not contain credentials; use 'reflector.api-server.token' instead.");
			}
			require("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()), URL, url,
					"It must be an absolute URL that begins with 'http://' or 'https://'.");
			require(url.getHost() != null, URL, url, "It must name a host.");
			require(url.getRawQuery() == null && url.getRawFragment() == null, URL, "******",
					"It must have neither query nor fragment.");
		}

		private static void requireOneToken(@Nullable String token, @Nullable String tokenFile) {
			MutuallyExclusiveConfigurationPropertiesException.throwIfMultipleNonNullValuesIn((entries) -> {
				entries.put("reflector.api-server.token", token);
				entries.put("reflector.api-server.token-file", tokenFile);
			});
		}

		/**
		 * How long the server may take to begin to answer a request.
		 * @return the setting, or what is the default
		 */
		@Override
		public Duration responseTimeout() {
			return Objects.requireNonNull(this.responseTimeout);
		}

		/**
		 * All settings but the token.
		 */
		@Override
		public String toString() {
			return "ApiServer[url=" + this.url + ", required=" + this.required + ", kubeconfig=" + this.kubeconfig
					+ ", context=" + this.context + ", token=" + ((this.token != null) ? "******" : null)
					+ ", tokenFile=" + this.tokenFile + ", sslBundle=" + this.sslBundle + ", namespace="
					+ this.namespace + ", httpVersion=" + this.httpVersion + ", connectTimeout=" + this.connectTimeout
					+ ", responseTimeout=" + this.responseTimeout + ", idleTimeout=" + this.idleTimeout
					+ ", eventTimeout=" + this.eventTimeout + ", maxListConnections=" + this.maxListConnections
					+ ", maxObjectSize=" + this.maxObjectSize + ", compression=" + this.compression + ", format="
					+ this.format + "]";
		}

	}

	/**
	 * How to watch.
	 *
	 * @param minTimeout Least time after which the server is asked to end a watch; the
	 * real value is drawn between it and twice it.
	 * @param overlap How long before the end of a watch the next one is opened; the real
	 * value is drawn between it and twice it, zero for not before the end.
	 * @param bookmarks Whether the server is asked for bookmarks.
	 * @param initialList How the full state of a collection is got: streamed by a watch,
	 * listed, or streamed where the server can do it.
	 * @param internalErrorRetry For how long internal errors (500) of a watch are
	 * survived without a new list.
	 */
	public record Watch(@DefaultValue("5m") Duration minTimeout, @DefaultValue("5s") Duration overlap,
			@DefaultValue("true") boolean bookmarks, @DefaultValue("auto") InitialList initialList,
			@DefaultValue("0s") Duration internalErrorRetry) {

		public Watch {
			require(minTimeout.toSeconds() >= 1, "reflector.watch.min-timeout", minTimeout,
					"It must be at least one second.");
			requireNotNegative("reflector.watch.min-timeout", minTimeout);
			requireNotNegative("reflector.watch.overlap", overlap);
			requireNotNegative("reflector.watch.internal-error-retry", internalErrorRetry);
		}

	}

	/**
	 * How to list.
	 *
	 * @param pageSize Objects in a page of a list. When it is set, every list is paged;
	 * when not, pages have 500 objects, and a list from a known version is paged only
	 * after the server has paged another.
	 * @param consistentFirst Whether the first state of a collection, where it is listed,
	 * must be the newest, rather than any the server has at hand.
	 */
	public record List(@Nullable Integer pageSize, @DefaultValue("false") boolean consistentFirst) {

		public List {
			require(pageSize == null || pageSize >= 1, "reflector.list.page-size", (pageSize != null) ? pageSize : 0,
					"It must be at least 1.");
		}

	}

	/**
	 * How objects become Java objects.
	 *
	 * @param unreadableType What happens at start when no object of a type can be read,
	 * as Jackson cannot make it: the start fails, or it is warned of.
	 */
	public record Binding(@DefaultValue("fail") UnreadableType unreadableType) {

		/** What happens when a type cannot be read. */
		public enum UnreadableType {

			/** The application does not start. */
			FAIL,

			/** A line in the log says so, and each object is skipped. */
			WARN

		}

	}

	/**
	 * Delays between attempts.
	 *
	 * @param initial Delay between the first failure of lists and watches and the next
	 * attempt, before jitter. Another value than the default switches off the shorter
	 * delays for refused connections, expired versions and answers that say when to come
	 * back.
	 * @param max Largest delay between two attempts to list or watch, before jitter.
	 * Another value than the default switches off the shorter delays for refused
	 * connections, expired versions and answers that say when to come back.
	 * @param multiplier Factor by which the delay between attempts to list or watch grows
	 * with each failure. Another value than the default switches off the shorter delays
	 * for refused connections, expired versions and answers that say when to come back.
	 * @param jitter Up to which part of a delay between attempts to list or watch is
	 * added to it at random.
	 * @param resetAfter How long a watch must have gone well until the delays between
	 * attempts begin anew.
	 */
	public record Backoff(@DefaultValue("800ms") Duration initial, @DefaultValue("30s") Duration max,
			@DefaultValue("2") double multiplier, @DefaultValue("1.0") double jitter,
			@DefaultValue("5s") Duration resetAfter) {

		public Backoff {
			requirePositive("reflector.backoff.initial", initial);
			require(max.compareTo(initial) >= 0, "reflector.backoff.max", max,
					"It must not be less than 'reflector.backoff.initial'.");
			requireNotNegative("reflector.backoff.max", max);
			require(multiplier >= 1, "reflector.backoff.multiplier", multiplier, "It must be at least 1.");
			require(jitter >= 0 && jitter <= 10, "reflector.backoff.jitter", jitter, "It must be between 0 and 10.");
			requireNotNegative("reflector.backoff.reset-after", resetAfter);
		}

	}

	/**
	 * How changes wait for the mirror.
	 *
	 * @param ordering Order in which changes reach the mirror: that of their arrival, or
	 * accumulated by object.
	 */
	public record Queue(@DefaultValue("arrival") Ordering ordering) {

	}

	/**
	 * What happens while the application starts.
	 *
	 * @param waitForSync Whether the readiness of the application is held until every
	 * reflector has synced.
	 * @param timeout How long reflectors may take to sync before readiness is given
	 * without them, or the start fails where it is strict.
	 * @param strict Whether the start, and with it the port of the web server, waits
	 * until every reflector has synced, and fails when some have not in time; without
	 * effect where nothing is waited for.
	 */
	public record Startup(@DefaultValue("true") boolean waitForSync, @DefaultValue("60s") Duration timeout,
			@DefaultValue("false") boolean strict) {

		public Startup {
			requirePositive("reflector.startup.timeout", timeout);
		}

	}

	/**
	 * How changes wait for listeners.
	 *
	 * @param queueCapacity Changes that may wait for the mirror, and for each listener
	 * queue; when nothing more fits, the watch is no longer read.
	 * @param drainTimeout How long waiting changes are still delivered when the
	 * application stops, for all listeners together, as far as
	 * spring.lifecycle.timeout-per-shutdown-phase allows; then calls in progress are
	 * interrupted.
	 * @param overflow What happens when the queue of a listener is full: changes of one
	 * object are merged before the watch has to wait, or it waits at once.
	 * @param detectRecreation Whether an object that comes back with another uid is
	 * delivered as a deletion and an addition rather than as an update.
	 * @param onError What happens after a listener has failed on an event.
	 * @param retry How a failed delivery is attempted again.
	 * @param slowListenerThreshold How long a listener may take for an event until a
	 * warning names it; zero for ever.
	 * @param concurrency Threads on which each listener queue is delivered; all changes
	 * of an object come on one of them, in order.
	 */
	public record Events(@DefaultValue("10000") int queueCapacity, @DefaultValue("10s") Duration drainTimeout,
			@DefaultValue("coalesce") Overflow overflow, @DefaultValue("true") boolean detectRecreation,
			@DefaultValue("log") OnError onError, @DefaultValue EventRetry retry,
			@DefaultValue("1s") Duration slowListenerThreshold, @DefaultValue("1") int concurrency) {

		public Events {
			require(queueCapacity >= 1, "reflector.events.queue-capacity", queueCapacity, "It must be at least 1.");
			requireNotNegative("reflector.events.drain-timeout", drainTimeout);
			requireNotNegative("reflector.events.slow-listener-threshold", slowListenerThreshold);
			require(concurrency >= 1, "reflector.events.concurrency", concurrency, "It must be at least 1.");
		}

		DeliveryPolicy policy() {
			return new DeliveryPolicy(this.onError, this.retry.maxAttempts(), this.retry.delay(),
					this.retry.multiplier(), this.retry.maxDelay(), this.slowListenerThreshold);
		}

	}

	/**
	 * How a failed delivery is attempted again.
	 *
	 * @param maxAttempts Deliveries of one event to a listener that fails on it, the
	 * first one included, when 'reflector.events.on-error' is 'retry'.
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
			require(maxAttempts >= 1, "reflector.events.retry.max-attempts", maxAttempts, "It must be at least 1.");
			requirePositive("reflector.events.retry.delay", delay);
			require(multiplier >= 1, "reflector.events.retry.multiplier", multiplier, "It must be at least 1.");
			require(maxDelay.compareTo(delay) >= 0, "reflector.events.retry.max-delay", maxDelay,
					"It must not be less than 'reflector.events.retry.delay'.");
			requireNotNegative("reflector.events.retry.max-delay", maxDelay);
		}

	}

	/**
	 * When a reflector counts as unhealthy.
	 *
	 * @param failingThreshold How long attempts must have been failing until a reflector
	 * is reported as down.
	 * @param staleThreshold How long a server that sends bookmarks must have said nothing
	 * until a reflector is reported as down; zero for never.
	 * @param skippedThreshold From how many objects on, whose present version cannot be
	 * read, a reflector is reported as down; zero for never.
	 */
	public record Health(@DefaultValue("1m") Duration failingThreshold, @DefaultValue("10m") Duration staleThreshold,
			@DefaultValue("0") int skippedThreshold) {

		public Health {
			requireNotNegative("reflector.health.failing-threshold", failingThreshold);
			requireNotNegative("reflector.health.stale-threshold", staleThreshold);
			require(skippedThreshold >= 0, "reflector.health.skipped-threshold", skippedThreshold,
					"It must not be negative.");
		}

	}

	/**
	 * Settings of one reflector, which override its annotation. Of a name that no
	 * annotated type has, API version and kind make a reflector of their own.
	 *
	 * @param apiVersion Group and version.
	 * @param kind Kind of the objects.
	 * @param plural Plural resource name.
	 * @param namespaces Namespaces to mirror, empty for all.
	 * @param labelSelector Label selector.
	 * @param fieldSelector Field selector.
	 * @param resyncPeriod How often every object is delivered again.
	 * @param enabled Whether the reflector is started.
	 * @param metadataOnly Whether the server is asked for the metadata of objects alone.
	 */
	public record Resource(@Nullable String apiVersion, @Nullable String kind, @Nullable String plural,
			java.util.@Nullable List<String> namespaces, @Nullable String labelSelector, @Nullable String fieldSelector,
			@Nullable Duration resyncPeriod, @DefaultValue("true") boolean enabled, @Nullable Boolean metadataOnly) {

		static final Resource NONE = new Resource(null, null, null, null, null, null, null, true, null);

		/**
		 * Takes empty text for unset where it would make no sense.
		 */
		public Resource {
			apiVersion = textOrNull(apiVersion);
			kind = textOrNull(kind);
		}

		/**
		 * Whether it says enough to mirror something without a class.
		 */
		boolean isComplete() {
			return this.apiVersion != null && this.kind != null;
		}

	}

}
