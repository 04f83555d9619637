package dev.reflector.autoconfigure;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.autoconfigure.internal.diagnosis.TypeSchemaCheck;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.event.DeliveryPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * For each property, a value other than the default, and an observation that shows the
 * difference.
 */
final class PropertyEffects {

	private static final String NO_URL = "reflector.api-server.url=";

	private final Map<String, Effect> rows = new TreeMap<>();

	private PropertyEffects() {
	}

	/**
	 * All effects, by the name of the property.
	 * @param kubeconfig a file with the contexts {@code one}, which is the current one,
	 * and {@code two}
	 * @param token a file with a token
	 */
	static Map<String, Effect> all(Path kubeconfig, Path token) {
		PropertyEffects effects = new PropertyEffects();
		effects.theServer(kubeconfig, token);
		effects.theConnection();
		effects.listsAndWatches();
		effects.delays();
		effects.queuesAndEvents();
		effects.snapshots();
		effects.leaderElection();
		effects.sharding();
		effects.theApplication();
		effects.writes();
		effects.oneReflector();
		return effects.rows;
	}

	private void theServer(Path kubeconfig, Path token) {
		row("reflector.api-server.url", "http://127.0.0.1:2", BuiltApplication::authority);
		row("reflector.api-server.kubeconfig", kubeconfig, BuiltApplication::startedReflectors, NO_URL);
		row("reflector.api-server.context", "two", BuiltApplication::authority, NO_URL,
				"reflector.api-server.kubeconfig=" + kubeconfig);
		row("reflector.api-server.required", "true", BuiltApplication::isRunning, NO_URL);
		row("reflector.api-server.token", "secret", (app) -> app.header(HttpHeaders.AUTHORIZATION));
		row("reflector.api-server.token-file", token, (app) -> app.header(HttpHeaders.AUTHORIZATION));
		row("reflector.api-server.allow-token-over-http", "true", BuiltApplication::isTokenWarnedOf,
				"reflector.api-server.url=http://server.example:1", "reflector.api-server.token=secret");
		row("reflector.api-server.exec-plugins", "deny", BuiltApplication::isRunning, NO_URL,
				"reflector.api-server.kubeconfig=" + kubeconfig, "reflector.api-server.context=plugin");
		row("reflector.api-server.ssl-bundle", "mine", BuiltApplication::trust,
				"spring.ssl.bundle.pem.mine.options.enabled-protocols=TLSv1.3");
		row("reflector.api-server.namespace", "blue", BuiltApplication::path);
	}

	private void theConnection() {
		row("reflector.api-server.http-version", "http-2", (app) -> app.client().options().httpVersion());
		row("reflector.api-server.connect-timeout", "11s", (app) -> app.client().options().timeouts().connect());
		row("reflector.api-server.response-timeout", "64s", (app) -> app.client().options().timeouts().response());
		row("reflector.api-server.idle-timeout", "86s", (app) -> app.client().options().timeouts().idle());
		row("reflector.api-server.event-timeout", "61s", (app) -> app.client().options().timeouts().event());
		row("reflector.api-server.max-list-connections", "17", (app) -> app.client().options().maxListConnections());
		row("reflector.api-server.max-object-size", "17MB", (app) -> app.client().options().maxObjectSize());
		row("reflector.api-server.compression", "all", (app) -> app.header(HttpHeaders.ACCEPT_ENCODING));
		row("reflector.api-server.format", "cbor", (app) -> app.header(HttpHeaders.ACCEPT));
	}

	private void listsAndWatches() {
		row("reflector.binding.unreadable-type", "warn", BuiltApplication::isRunning, "unreadable.mirrored=true");
		option("reflector.compatibility", "client-go", ReflectorOptions::compatibility);
		option("reflector.list.consistent-first", "true", (options) -> options.list().consistentFirstList());
		option("reflector.list.page-size", "500", (options) -> options.list().pageSize());
		option("reflector.resync-period", "1m", (options) -> options.delivery().resyncPeriod());
		option("reflector.verify-period", "1h", ReflectorOptions::verifyPeriod);
		option("reflector.watch.bookmarks", "false", (options) -> options.watch().bookmarks());
		option("reflector.watch.initial-list", "list", (options) -> options.list().initialList());
		option("reflector.watch.internal-error-retry", "1m", (options) -> options.watch().internalErrorRetry());
		option("reflector.watch.min-timeout", "6m", (options) -> options.watch().minWatchTimeout());
		option("reflector.watch.overlap", "6s", (options) -> options.watch().watchOverlap());
	}

	private void delays() {
		delay("reflector.backoff.initial", "900ms", BackoffSettings::initial);
		delay("reflector.backoff.max", "31s", BackoffSettings::max);
		delay("reflector.backoff.multiplier", "3", BackoffSettings::multiplier);
		delay("reflector.backoff.jitter", "0.5", BackoffSettings::jitter);
		delay("reflector.backoff.reset-after", "3m", BackoffSettings::resetAfter);
	}

	private void queuesAndEvents() {
		option("reflector.queue.ordering", "per-key", (options) -> options.queue().ordering());
		option("reflector.events.concurrency", "2", (options) -> options.delivery().concurrency());
		option("reflector.events.detect-recreation", "false", (options) -> options.delivery().recreationDetected());
		option("reflector.events.drain-timeout", "11s", (options) -> options.delivery().drainTimeout());
		option("reflector.events.overflow", "block", (options) -> options.queue().overflow());
		option("reflector.events.queue-capacity", "10001", (options) -> options.queue().queueCapacity());
		delivery("reflector.events.on-error", "retry", DeliveryPolicy::onError);
		delivery("reflector.events.retry.max-attempts", "4", DeliveryPolicy::maxAttempts);
		delivery("reflector.events.retry.delay", "2s", DeliveryPolicy::delay);
		delivery("reflector.events.retry.multiplier", "3", DeliveryPolicy::multiplier);
		delivery("reflector.events.retry.max-delay", "31s", DeliveryPolicy::maxDelay);
		option("reflector.events.slow-listener-threshold", "2s",
				(options) -> options.delivery().slowListenerThreshold());
	}

	private void snapshots() {
		String[] durable = { "reflector.snapshot.enabled=true", "reflector.events.on-error=stop" };
		row("reflector.snapshot.enabled", "true", BuiltApplication::isDurable, durable[1]);
		row("reflector.snapshot.resume", "never", (app) -> app.snapshot().resume(), durable);
		row("reflector.snapshot.on-mismatch", "fail", (app) -> app.snapshot().onMismatch(), durable);
		row("reflector.resources.*.snapshot-name", "former", BuiltApplication::snapshotName, durable);
		row("reflector.snapshot.accept-loss", "true", BuiltApplication::isRunning, durable[0]);
		row("reflector.snapshot.commit-interval", "1s", (app) -> app.snapshot().commitInterval(), durable);
		row("reflector.snapshot.write-ahead", "false", (app) -> app.snapshot().writeAhead(), durable);
		row("reflector.snapshot.announce-timeout", "2s", (app) -> app.snapshot().announceTimeout(), durable);
		row("reflector.snapshot.behind-after", "5m", (app) -> app.health(synced(null, Instant.now())), durable);
	}

	private void leaderElection() {
		String prefix = "reflector.leader-election.";
		String[] elects = { prefix + "enabled=true", prefix + "name=shop", prefix + "namespace=apps" };
		row(prefix + "enabled", "true", (app) -> app.hasBean("reflectorLeaderElector"), elects[1], elects[2]);
		row(prefix + "name", "blue", (app) -> app.elector().lease(), elects);
		row(prefix + "namespace", "blue", (app) -> app.elector().lease(), elects);
		row(prefix + "identity", "me", (app) -> app.elector().identity(), elects);
		row(prefix + "lease-duration", "16s", (app) -> app.election().leaseDuration(), elects);
		row(prefix + "renew-deadline", "11s", (app) -> app.election().renewDeadline(), elects);
		row(prefix + "retry-period", "3s", (app) -> app.election().retryPeriod(), elects);
		row(prefix + "events", "leader", (app) -> app.hasBean("reflectorLeaderDelivery"), elects);
		row("management.health.leader-election.enabled", "false", (app) -> app.hasBean("leaderElectionHealthIndicator"),
				elects);
		row(prefix + "release-on-cancel", "true", (app) -> app.election().releaseOnCancel(), elects);
	}

	private void sharding() {
		String prefix = "reflector.sharding.";
		String[] shards = { prefix + "enabled=true", prefix + "count=2", prefix + "index=1",
				prefix + "leases.enabled=false" };
		row(prefix + "enabled", "true", (app) -> app.query("shardSelector"), shards[1], shards[2], shards[3]);
		row(prefix + "count", "4", (app) -> app.query("shardSelector"), shards);
		row(prefix + "index", "0", (app) -> app.query("shardSelector"), shards);
		row(prefix + "slots", "63", (app) -> app.query("shardSelector"), shards);
		row(prefix + "field", "namespace", (app) -> app.query("shardSelector"), shards);
		String[] leases = { shards[0], shards[1], shards[2], prefix + "leases.group=shop",
				prefix + "leases.namespace=apps" };
		// the fixed one needs a count
		row(prefix + "assignment", "dynamic", BuiltApplication::isRunning, leases[0], leases[3], leases[4]);
		row(prefix + "leases.enabled", "false", (app) -> app.hasBean("reflectorShardMembership"), leases);
		row(prefix + "leases.group", "blue", (app) -> app.membership().group(), leases);
		row(prefix + "leases.namespace", "blue", (app) -> app.membership().group(), leases);
		row(prefix + "leases.identity", "me", (app) -> app.membership().identity(), leases);
		row(prefix + "leases.lease-duration", "16s", (app) -> app.shards().leaseDuration(), leases);
		row(prefix + "leases.renew-deadline", "11s", (app) -> app.shards().renewDeadline(), leases);
		row(prefix + "leases.retry-period", "3s", (app) -> app.shards().retryPeriod(), leases);
		row(prefix + "leases.unowned-after", "46s", (app) -> app.shards().unownedAfter(), leases);
		row("management.health.shards.enabled", "false", (app) -> app.hasBean("shardsHealthIndicator"), leases);
	}

	private void writes() {
		row("reflector.writes.mode", "dry-run", (app) -> app.hasBean("reflectorResourceWriter"));
		row("reflector.writes.timeout", "5s", (app) -> app.context().getBean(ReflectorWritesProperties.class).timeout(),
				"reflector.writes.mode=on");
		row("management.endpoint.reflectorwrites.access", "NONE", (app) -> app.hasBean("reflectorWritesEndpoint"),
				"reflector.writes.mode=on");
		row("management.endpoint.reflectorwrites.cache.time-to-live", "10s",
				(app) -> app.isEndpointCached("reflectorwrites"), "reflector.writes.mode=on");
	}

	private void theApplication() {
		row("reflector.enabled", "false", BuiltApplication::reflectors);
		row("reflector.keep-alive", "false", BuiltApplication::isKeptAlive);
		row("reflector.startup.wait-for-sync", "false", BuiltApplication::isAwaited);
		// is over when the test looks
		row("reflector.startup.timeout", "1ns", BuiltApplication::isAwaited);
		row("reflector.startup.strict", "true", BuiltApplication::isRunning, "reflector.startup.timeout=1ns");
		row("reflector.schema-check", "fail", (app) -> app.context().getBean(TypeSchemaCheck.class).fails());
		row("reflector.health.failing-threshold", "2m", (app) -> app.health(synced(ago(90), Instant.now())));
		row("reflector.health.stale-threshold", "11m", (app) -> app.health(synced(null, ago(630))));
		row("reflector.health.skipped-threshold", "1", (app) -> app.health(synced(null, Instant.now())));
		row("management.health.reflectors.enabled", "false", (app) -> app.hasBean("reflectorsHealthContributor"));
		row("management.info.reflectors.enabled", "true", (app) -> app.hasBean("reflectorsInfoContributor"));
		row("management.endpoint.reflectors.access", "NONE", (app) -> app.hasBean("reflectorsEndpoint"));
		row("management.endpoint.reflectors.cache.time-to-live", "10s", BuiltApplication::isEndpointCached);
		row("management.endpoint.reflectors.show-values", "never", BuiltApplication::endpointError);
		row("management.endpoint.reflectors.roles", "operator", BuiltApplication::endpointError,
				"management.endpoint.reflectors.show-values=when-authorized");
	}

	private void oneReflector() {
		row("reflector.resources.*.api-version", "example.com/v2", BuiltApplication::path);
		row("reflector.resources.*.kind", "Gizmo", BuiltApplication::resourceType);
		row("reflector.resources.*.plural", "gizmos", BuiltApplication::resourceType);
		row("reflector.resources.*.namespaces", "blue", BuiltApplication::path);
		row("reflector.resources.*.label-selector", "app=web", (app) -> app.query("labelSelector"));
		row("reflector.resources.*.field-selector", "metadata.name=a", (app) -> app.query("fieldSelector"));
		option("reflector.resources.*.resync-period", "1m", (options) -> options.delivery().resyncPeriod());
		option("reflector.resources.*.poll-interval", "7s", (options) -> options.list().pollInterval());
		option("reflector.resources.*.max-objects", "1000", (options) -> options.limits().maxObjects());
		option("reflector.resources.*.max-size", "10MB", (options) -> options.limits().maxSize());
		row("reflector.resources.*.enabled", "false", BuiltApplication::startedReflectors);
		String[] gadgets = { "reflector.resources.gadgets.api-version=example.com/v1",
				"reflector.resources.gadgets.plural=gadgets" };
		this.rows.put("reflector.resources",
				new Effect("reflector.resources.gadgets.kind=Gadget", BuiltApplication::reflectors, List.of(gadgets)));
		this.rows.put("reflector.resources.*.metadata-only",
				new Effect("reflector.resources.gadgets.metadata-only=true",
						(app) -> app.request("gadgets").headers().get("Accept"),
						List.of(gadgets[0], gadgets[1], "reflector.resources.gadgets.kind=Gadget")));
	}

	/** The status of a reflector that has skipped an object. */
	private static ReflectorStatus synced(@Nullable Instant failingSince, Instant lastProgressAt) {
		return new ReflectorStatus(ReflectorState.WATCHING, "1", true, 1, 1, 0,
				new ReflectorStatus.Counts(1, 1, 0, 1, 0, 0, 0, 0), null, null, failingSince, null, null, null,
				new ReflectorStatus.Contact(true, lastProgressAt, true));
	}

	private static Instant ago(int seconds) {
		return Instant.now().minusSeconds(seconds);
	}

	private void option(String key, String value, Function<ReflectorOptions, Object> option) {
		row(key, value, (app) -> option.apply(app.options()));
	}

	private void delay(String key, String value, Function<BackoffSettings, Object> delay) {
		option(key, value, (options) -> delay.apply(options.backoff()));
	}

	private void delivery(String key, String value, Function<DeliveryPolicy, Object> part) {
		row(key, value, (app) -> part.apply(app.deliveryPolicy()));
	}

	private void row(String key, Object value, Observation observation, String... given) {
		this.rows.put(key, new Effect(key.replace("*", "widgets") + "=" + value, observation, List.of(given)));
	}

	/**
	 * The effect of a property.
	 *
	 * @param setting the property with another value
	 * @param observation where the difference shows
	 * @param given other properties, which are set in both applications
	 */
	record Effect(String setting, Observation observation, List<String> given) {

	}

	/** Reads something from an application. */
	@FunctionalInterface
	interface Observation {

		Object of(BuiltApplication application);

	}

}
