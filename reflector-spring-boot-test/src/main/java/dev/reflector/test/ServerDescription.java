package dev.reflector.test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.reflector.test.internal.api.Json;
import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.options.AccessOptions;
import dev.reflector.test.internal.options.ServerFeature;
import dev.reflector.test.internal.options.ServerOptions;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The options of a server builder.
 */
abstract sealed class ServerDescription permits EmbeddedApiServer.Builder {

	private final List<ServedType> types = new ArrayList<>();

	private final Map<String, ObjectNode> schemas = new HashMap<>();

	private final Set<String> statusSubresources = new HashSet<>();

	private final Set<ServerFeature> features = EnumSet.of(ServerFeature.WATCH_LIST,
			ServerFeature.PARTIAL_OBJECT_METADATA, ServerFeature.AGGREGATED_DISCOVERY,
			ServerFeature.GARBAGE_COLLECTION);

	private int port;

	private int historyWindow = 10_000;

	private Duration continueTokenLife = Duration.ofMinutes(15);

	private Duration bookmarkInterval = Duration.ofMinutes(1);

	private int bookmarkEvery;

	private Duration minRequestTimeout = Duration.ofMinutes(30);

	private Duration versionTimeout = Duration.ofMillis(200);

	private InstantSource clock = InstantSource.system();

	private @Nullable PemCertificate certificate;

	private @Nullable String clientAuthority;

	private @Nullable List<String> tokens;

	private boolean http2;

	private Duration rolesDelay = Duration.ZERO;

	abstract EmbeddedApiServer.Builder self();

	ServerOptions options() {
		return new ServerOptions(this.port, this.types, this.schemas, this.statusSubresources, this.features,
				this.historyWindow, this.continueTokenLife, this.bookmarkInterval, this.bookmarkEvery,
				this.minRequestTimeout, this.versionTimeout, this.clock,
				new AccessOptions((this.certificate != null) ? this.certificate.identity() : null, this.clientAuthority,
						this.tokens, this.http2, this.rolesDelay));
	}

	/**
	 * Sets the port to listen on. The default, 0, means any free port.
	 * @param port the port
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder port(int port) {
		if (port < 0 || port > 65535) {
			throw new IllegalArgumentException("'port' must be between 0 and 65535");
		}
		this.port = port;
		return self();
	}

	/**
	 * Registers a type. A type of the core group, of a group whose name has no dot (such
	 * as {@code apps}), or of a group whose name ends in {@code .k8s.io} counts as a
	 * built-in type. Real servers write the lists of built-in types differently.
	 * @param apiVersion {@code group/version}, or {@code version} for the core group
	 * @param kind the kind
	 * @param plural the plural
	 * @param namespaced whether the objects live in namespaces
	 * @param shortNames further names for the command line
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder type(String apiVersion, String kind, String plural, boolean namespaced,
			String... shortNames) {
		ServedType type = ServedType.of(apiVersion, kind, plural, namespaced, shortNames);
		if (this.types.stream().anyMatch((served) -> served.is(apiVersion, plural))) {
			throw type.registeredAlready();
		}
		this.types.add(type);
		return self();
	}

	/**
	 * Registers the types of a CustomResourceDefinition, one for each served version, and
	 * publishes their schemas ({@code /openapi/v3}). If a type is registered already,
	 * only its schema is added. The schema says which lists are sets or maps, and whether
	 * the status is a subresource. Writes of clients are merged by the schema. Fields
	 * that are not in the schema are dropped, or refused with
	 * {@code fieldValidation=Strict}. Defaults are filled in. Values are not validated.
	 * @param definition the definition: JSON text, a tree, or a map, for example from a
	 * YAML parser
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder definition(Object definition) {
		JsonNode spec = Json.of(definition).path("spec");
		JsonNode names = spec.path("names");
		for (JsonNode version : spec.path("versions")) {
			if (!version.path("served").asBoolean(true)) {
				continue;
			}
			String apiVersion = Json.text(spec, "group") + "/" + Json.text(version, "name");
			String plural = Json.text(names, "plural");
			if (this.types.stream().noneMatch((served) -> served.is(apiVersion, plural))) {
				type(apiVersion, Json.text(names, "kind"), plural, !"Cluster".equals(Json.text(spec, "scope")),
						names.path("shortNames").valueStream().map(JsonNode::asString).toArray(String[]::new));
			}
			if (version.at("/schema/openAPIV3Schema") instanceof ObjectNode schema) {
				String kind = apiVersion + "/" + Json.text(names, "kind");
				this.schemas.put(kind, schema);
				if (version.at("/subresources/status").isObject()) {
					this.statusSubresources.add(kind);
				}
			}
		}
		return self();
	}

	/**
	 * Sets how many of the latest changes of each type the server keeps as history. A
	 * watch can begin, and a list can be continued, only at a version within this
	 * history. If a slow watch falls further behind, the server ends the watch. The
	 * default is 10000.
	 * @param changes the number of changes
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder historyWindow(int changes) {
		if (changes < 1) {
			throw new IllegalArgumentException("'changes' must be positive");
		}
		this.historyWindow = changes;
		return self();
	}

	/**
	 * Sets the time between two bookmarks of a watch that allows bookmarks. The default
	 * is one minute.
	 * @param interval the time
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder bookmarkInterval(Duration interval) {
		this.bookmarkInterval = positive("interval", interval);
		return self();
	}

	/**
	 * Sets after how many events a watch that allows bookmarks sends an additional
	 * bookmark. The events of the initial state do not count. The default is 0, which
	 * means never.
	 * @param events the number of events
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder bookmarkEvery(int events) {
		if (events < 0) {
			throw new IllegalArgumentException("'events' must not be negative");
		}
		this.bookmarkEvery = events;
		return self();
	}

	/**
	 * Sets whether watches may begin with a streamed list ({@code sendInitialEvents}).
	 * The default is {@code true}. A server without this feature answers a request for a
	 * streamed list with 422.
	 * @param watchList whether lists are streamed
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder watchList(boolean watchList) {
		return set(ServerFeature.WATCH_LIST, watchList);
	}

	/**
	 * Sets whether objects come in no particular order where the protocol promises no
	 * order: in lists with {@code resourceVersion=0}, which real servers answer from
	 * their watch cache, and in the initial state of watches. The order depends only on
	 * the version, so a second run with the same writes has the same order. The default
	 * is {@code false}: objects are sorted by namespace and name.
	 * @param unordered whether objects come in no particular order
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder unordered(boolean unordered) {
		return set(ServerFeature.UNORDERED, unordered);
	}

	/**
	 * Sets whether watches that begin with the initial state are compressed for clients
	 * that accept gzip, as on servers with the feature gate {@code WatchListCompression}
	 * (KEP-3157). Each event is a separate gzip member. (A real server ends a member at
	 * each flush, usually after one event.) The default is {@code false}.
	 * @param gzipWatches whether such watches are compressed
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder gzipWatches(boolean gzipWatches) {
		return set(ServerFeature.GZIP_WATCHES, gzipWatches);
	}

	/**
	 * Sets whether lists and watches support {@code shardSelector}, as on servers with
	 * the feature gate {@code ShardedListAndWatch} (KEP-5866). In lists of built-in
	 * types, {@code shardInfo} confirms that the server has applied the selector. The
	 * default is {@code false}: the parameter is ignored.
	 * @param sharding whether requests can ask for shards
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder sharding(boolean sharding) {
		return set(ServerFeature.SHARDING, sharding);
	}

	/**
	 * Sets whether sharded lists of custom resources contain {@code shardInfo}, too. The
	 * default is {@code false}: such lists are filtered, but do not contain
	 * {@code shardInfo}. Has no effect without {@link #sharding(boolean)}.
	 * @param shardInfo whether these lists contain {@code shardInfo}
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder shardInfoOnCustomResources(boolean shardInfo) {
		return set(ServerFeature.SHARD_INFO_ON_CUSTOM_RESOURCES, shardInfo);
	}

	/**
	 * Sets whether the server sends CBOR to clients that accept it, and accepts CBOR from
	 * clients, as servers do with the feature gate {@code CBORServingAndStorage}
	 * (KEP-4222). The default is {@code false}: a client that accepts only CBOR is
	 * answered with 406, and CBOR in a request with 415.
	 * @param cbor whether the server supports CBOR
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder cbor(boolean cbor) {
		return set(ServerFeature.CBOR, cbor);
	}

	/**
	 * Sets whether clients can request only the metadata of objects
	 * ({@code PartialObjectMetadata}). The default is {@code true}. Some servers behind
	 * the aggregation layer do not support this. They send whole objects to clients that
	 * also accept whole objects, and answer other clients with 406.
	 * @param partialObjectMetadata whether clients can request only metadata
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder partialObjectMetadata(boolean partialObjectMetadata) {
		return set(ServerFeature.PARTIAL_OBJECT_METADATA, partialObjectMetadata);
	}

	/**
	 * Sets whether clients can request all types of all groups at once
	 * ({@code APIGroupDiscoveryList}, version {@code v2}). The default is {@code true}.
	 * Servers that do not support this send the list of groups instead.
	 * @param aggregatedDiscovery whether clients can request all types at once
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder aggregatedDiscovery(boolean aggregatedDiscovery) {
		return set(ServerFeature.AGGREGATED_DISCOVERY, aggregatedDiscovery);
	}

	/**
	 * Sets whether an object with owners ({@code metadata.ownerReferences}) is deleted
	 * when its last owner is gone, and whether an owner that is deleted in the foreground
	 * is kept until the objects that it owns are deleted. The default is {@code true}.
	 * The owned objects are deleted before the request that deletes the owner is
	 * answered. A real server deletes them a moment later.
	 * @param garbageCollection whether objects are deleted with their owners
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder garbageCollection(boolean garbageCollection) {
		return set(ServerFeature.GARBAGE_COLLECTION, garbageCollection);
	}

	/**
	 * Sets how long a list can be continued after its first page was read. The time is
	 * shorter if the history no longer reaches back to the version of the list. A later
	 * request with the continue token is answered with 410 and a new token. The new token
	 * continues the list with the newest state. The default is 15 minutes.
	 * @param life the time
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder continueTokenLife(Duration life) {
		this.continueTokenLife = positive("life", life);
		return self();
	}

	/**
	 * Sets the shortest duration of a watch that requests no {@code timeoutSeconds}. The
	 * duration of each such watch is random, between this time and twice this time. The
	 * default is 30 minutes.
	 * @param timeout the time
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder minRequestTimeout(Duration timeout) {
		this.minRequestTimeout = positive("timeout", timeout);
		return self();
	}

	/**
	 * Sets how long a request waits for a version that does not exist yet, before it is
	 * answered with 504. The default is 200 milliseconds, so that tests are fast; real
	 * servers wait for three seconds.
	 * @param timeout the time
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder versionTimeout(Duration timeout) {
		this.versionTimeout = positive("timeout", timeout);
		return self();
	}

	/**
	 * Sets the clock that measures the life of continue tokens and the time of
	 * {@link #forbiddenAfterRestart(Duration)}. The default is the clock of the system.
	 * @param clock the clock, which any thread may call
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder clock(InstantSource clock) {
		this.clock = clock;
		return self();
	}

	/**
	 * Serves https instead of http. A new authority signs the certificate, which is valid
	 * for the loopback interface. Clients must trust
	 * {@link EmbeddedApiServer#caCertificate()}.
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder tls() {
		return tls(CertificateAuthority.create().forServer());
	}

	/**
	 * Serves https instead of http.
	 * @param certificate the certificate of the server; it must be valid for
	 * {@code 127.0.0.1}
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder tls(PemCertificate certificate) {
		this.certificate = certificate;
		return self();
	}

	/**
	 * Requires that clients show a certificate of one of these authorities. Without such
	 * a certificate, the handshake fails. This option needs {@link #tls()}; without TLS,
	 * the server cannot be built.
	 * @param caPem the certificates of the authorities that sign certificates of clients,
	 * as PEM text
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder requireClientCertificates(String caPem) {
		this.clientAuthority = caPem;
		return self();
	}

	/**
	 * Sets whether clients can choose HTTP/2 when they connect, as with real servers. The
	 * default is {@code false}. This option needs {@link #tls()}; without TLS, the server
	 * cannot be built.
	 * @param http2 whether to offer HTTP/2
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder http2(boolean http2) {
		this.http2 = http2;
		return self();
	}

	/**
	 * Sets how long the server answers requests for objects with 403 after each restart.
	 * A real server with RBAC does so until it has read its roles, which takes half a
	 * second to three seconds. The default is zero. After the first start, everything is
	 * allowed at once. The clock set with {@link #clock(InstantSource)} measures the
	 * time.
	 * @param delay how long to answer with 403
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder forbiddenAfterRestart(Duration delay) {
		if (delay.isNegative()) {
			throw new IllegalArgumentException("'delay' must not be negative");
		}
		this.rolesDelay = delay;
		return self();
	}

	/**
	 * Requires a bearer token with every request. Requests without one of these tokens
	 * are answered with 401. {@link EmbeddedApiServer#acceptTokens} changes the tokens
	 * later.
	 * @param tokens the accepted tokens
	 * @return this builder
	 */
	public EmbeddedApiServer.Builder requireToken(String... tokens) {
		this.tokens = List.of(tokens);
		return self();
	}

	private EmbeddedApiServer.Builder set(ServerFeature feature, boolean present) {
		if (present) {
			this.features.add(feature);
		}
		else {
			this.features.remove(feature);
		}
		return self();
	}

	private static Duration positive(String name, Duration duration) {
		if (duration.isNegative() || duration.isZero()) {
			throw new IllegalArgumentException("'" + name + "' must be positive");
		}
		return duration;
	}

}
