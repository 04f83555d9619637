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
 * The options of a server before it is built.
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
	 * The port to listen on. The default, 0, takes any free port.
	 * @param port the port
	 * @return this description
	 */
	public EmbeddedApiServer.Builder port(int port) {
		if (port < 0 || port > 65535) {
			throw new IllegalArgumentException("'port' must be between 0 and 65535");
		}
		this.port = port;
		return self();
	}

	/**
	 * Registers a type. Types of groups whose name has no dot (such as {@code apps}) or
	 * ends in {@code .k8s.io}, and of the core group, are taken for built-in ones, whose
	 * lists real servers write differently.
	 * @param apiVersion {@code group/version}, or {@code version} for the core group
	 * @param kind the kind
	 * @param plural the plural
	 * @param namespaced whether the objects live in namespaces
	 * @param shortNames further names for the command line
	 * @return this description
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
	 * Registers the types of a CustomResourceDefinition, one for each version that is
	 * served, and publishes their schemas ({@code /openapi/v3}). Types that are
	 * registered get the schemas only. What clients write is merged by the schema: it
	 * says which lists are sets or maps, and whether the status is a subresource. Fields
	 * that it does not know are dropped, or refused with {@code fieldValidation=Strict},
	 * and defaults are filled in. Values are not validated.
	 * @param definition the definition: JSON text, a tree, or a map such as a YAML parser
	 * makes
	 * @return this description
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
	 * How many of the latest changes of each type are remembered, which is how far back a
	 * watch can begin and a page can be continued, and how far a slow watch may lag
	 * behind before it is cut off. The default is 10000.
	 * @param changes the number of changes
	 * @return this description
	 */
	public EmbeddedApiServer.Builder historyWindow(int changes) {
		if (changes < 1) {
			throw new IllegalArgumentException("'changes' must be positive");
		}
		this.historyWindow = changes;
		return self();
	}

	/**
	 * The time between the bookmarks of a watch that allows them. The default is one
	 * minute.
	 * @param interval the time
	 * @return this description
	 */
	public EmbeddedApiServer.Builder bookmarkInterval(Duration interval) {
		this.bookmarkInterval = positive("interval", interval);
		return self();
	}

	/**
	 * Has a bookmark follow each so many events of a watch that allows bookmarks, besides
	 * those that come by time. The events of the initial state do not count. The default
	 * is 0, which is never.
	 * @param events the number of events
	 * @return this description
	 */
	public EmbeddedApiServer.Builder bookmarkEvery(int events) {
		if (events < 0) {
			throw new IllegalArgumentException("'events' must not be negative");
		}
		this.bookmarkEvery = events;
		return self();
	}

	/**
	 * Whether watches may begin with a streamed list ({@code sendInitialEvents}). The
	 * default is {@code true}; servers without it answer such a request with 422.
	 * @param watchList whether lists are streamed
	 * @return this description
	 */
	public EmbeddedApiServer.Builder watchList(boolean watchList) {
		return set(ServerFeature.WATCH_LIST, watchList);
	}

	/**
	 * Whether objects come in no particular order where the protocol promises none: in
	 * lists that may be of any version ({@code resourceVersion=0}), which real servers
	 * answer from their watch cache, and in the initial state of watches. The order hangs
	 * on the version, so the same writes have the same order in the next run. The default
	 * is {@code false}, which is by namespace and name.
	 * @param unordered whether they come in no particular order
	 * @return this description
	 */
	public EmbeddedApiServer.Builder unordered(boolean unordered) {
		return set(ServerFeature.UNORDERED, unordered);
	}

	/**
	 * Whether watches that begin with the state are compressed for clients that accept
	 * gzip, as by servers whose feature gate {@code WatchListCompression} is on
	 * (KEP-3157): each event is a separate gzip member. (Of real servers each flush is
	 * one, which is an event as a rule.) The default is {@code false}.
	 * @param gzipWatches whether they are compressed
	 * @return this description
	 */
	public EmbeddedApiServer.Builder gzipWatches(boolean gzipWatches) {
		return set(ServerFeature.GZIP_WATCHES, gzipWatches);
	}

	/**
	 * Whether lists and watches know {@code shardSelector}, as those of servers whose
	 * feature gate {@code ShardedListAndWatch} is on (KEP-5866). Lists of built-in types
	 * say so with {@code shardInfo}. The default is {@code false}; servers without it
	 * ignore the parameter.
	 * @param sharding whether requests can ask for shards
	 * @return this description
	 */
	public EmbeddedApiServer.Builder sharding(boolean sharding) {
		return set(ServerFeature.SHARDING, sharding);
	}

	/**
	 * Whether sharded lists of custom resources carry {@code shardInfo} as well. The
	 * default is {@code false}: such lists are then filtered without a word about it. Has
	 * no effect without {@link #sharding(boolean)}.
	 * @param shardInfo whether they carry it
	 * @return this description
	 */
	public EmbeddedApiServer.Builder shardInfoOnCustomResources(boolean shardInfo) {
		return set(ServerFeature.SHARD_INFO_ON_CUSTOM_RESOURCES, shardInfo);
	}

	/**
	 * Whether clients that accept CBOR get it, and may send it, as with servers whose
	 * feature gate {@code CBORServingAndStorage} is on (KEP-4222). The default is
	 * {@code false}; servers without it answer 406 to a client that accepts nothing else,
	 * and 415 to CBOR in a request.
	 * @param cbor whether the server can do CBOR
	 * @return this description
	 */
	public EmbeddedApiServer.Builder cbor(boolean cbor) {
		return set(ServerFeature.CBOR, cbor);
	}

	/**
	 * Whether clients can ask for the metadata of objects alone ({@code
	 * PartialObjectMetadata}). The default is {@code true}; servers without it, such as
	 * some behind the aggregation layer, pass over what asks for it, which leaves whole
	 * objects to clients that accept those as well, and 406 to others.
	 * @param partialObjectMetadata whether metadata can be asked for
	 * @return this description
	 */
	public EmbeddedApiServer.Builder partialObjectMetadata(boolean partialObjectMetadata) {
		return set(ServerFeature.PARTIAL_OBJECT_METADATA, partialObjectMetadata);
	}

	/**
	 * Whether clients can ask for all types of all groups at once ({@code
	 * APIGroupDiscoveryList}, version {@code v2}). The default is {@code true}; servers
	 * without it answer such a request as one for the list of groups.
	 * @param aggregatedDiscovery whether all types can be asked for
	 * @return this description
	 */
	public EmbeddedApiServer.Builder aggregatedDiscovery(boolean aggregatedDiscovery) {
		return set(ServerFeature.AGGREGATED_DISCOVERY, aggregatedDiscovery);
	}

	/**
	 * Whether what is owned ({@code metadata.ownerReferences}) is deleted when its last
	 * owner is gone, and owners that are deleted in the foreground wait for that. The
	 * default is {@code true}. It has happened by the time the deletion of the owner is
	 * answered; a real server needs a moment.
	 * @param garbageCollection whether what is owned goes with its owners
	 * @return this description
	 */
	public EmbeddedApiServer.Builder garbageCollection(boolean garbageCollection) {
		return set(ServerFeature.GARBAGE_COLLECTION, garbageCollection);
	}

	/**
	 * How long a list can be continued after its first page, unless the history ends
	 * before that. After it a continue token is answered 410 with a fresh token, which
	 * continues with the newest state. The default is 15 minutes.
	 * @param life the time
	 * @return this description
	 */
	public EmbeddedApiServer.Builder continueTokenLife(Duration life) {
		this.continueTokenLife = positive("life", life);
		return self();
	}

	/**
	 * How long a watch lasts at least that does not say {@code timeoutSeconds}. How long
	 * it lasts is drawn for each, and is less than twice as long. The default is 30
	 * minutes.
	 * @param timeout the time
	 * @return this description
	 */
	public EmbeddedApiServer.Builder minRequestTimeout(Duration timeout) {
		this.minRequestTimeout = positive("timeout", timeout);
		return self();
	}

	/**
	 * How long a request that asks for a version which is yet to come waits for it,
	 * before it is answered 504. The default is 200 milliseconds, for the sake of quick
	 * tests; real servers wait for three seconds.
	 * @param timeout the time
	 * @return this description
	 */
	public EmbeddedApiServer.Builder versionTimeout(Duration timeout) {
		this.versionTimeout = positive("timeout", timeout);
		return self();
	}

	/**
	 * What the life of continue tokens is measured by. The default is the clock of the
	 * system.
	 * @param clock the clock, which may be asked by any thread
	 * @return this description
	 */
	public EmbeddedApiServer.Builder clock(InstantSource clock) {
		this.clock = clock;
		return self();
	}

	/**
	 * Serves https instead of http, with a certificate for the loopback interface signed
	 * by an authority of the server's own. {@link EmbeddedApiServer#caCertificate()} is
	 * what clients must trust.
	 * @return this description
	 */
	public EmbeddedApiServer.Builder tls() {
		return tls(CertificateAuthority.create().forServer());
	}

	/**
	 * Serves https instead of http.
	 * @param certificate the certificate of the server; it must be valid for
	 * {@code 127.0.0.1}
	 * @return this description
	 */
	public EmbeddedApiServer.Builder tls(PemCertificate certificate) {
		this.certificate = certificate;
		return self();
	}

	/**
	 * Requires that clients show a certificate: the handshake of one without, or with
	 * that of another authority, fails. Needs {@link #tls()}, and is refused without it
	 * when the server is built.
	 * @param caPem the certificates of the authorities that sign those of clients, as PEM
	 * text
	 * @return this description
	 */
	public EmbeddedApiServer.Builder requireClientCertificates(String caPem) {
		this.clientAuthority = caPem;
		return self();
	}

	/**
	 * Whether clients can choose HTTP/2, as with real servers, when they connect. The
	 * default is {@code false}. Needs {@link #tls()}, and is refused without it when the
	 * server is built.
	 * @param http2 whether to offer HTTP/2
	 * @return this description
	 */
	public EmbeddedApiServer.Builder http2(boolean http2) {
		this.http2 = http2;
		return self();
	}

	/**
	 * For how long the server answers 403 to requests for objects after each restart, as
	 * a genuine one does to users of RBAC until it has read its roles: half a second to
	 * three seconds. The default is not at all. The first start allows everything at
	 * once. Time is that of {@code clock()}.
	 * @param delay for how long
	 * @return this description
	 */
	public EmbeddedApiServer.Builder forbiddenAfterRestart(Duration delay) {
		if (delay.isNegative()) {
			throw new IllegalArgumentException("'delay' must not be negative");
		}
		this.rolesDelay = delay;
		return self();
	}

	/**
	 * Requires that requests of every kind carry a bearer token; others are answered 401.
	 * {@link EmbeddedApiServer#acceptTokens} changes the tokens later on.
	 * @param tokens the tokens of which a request must have one
	 * @return this description
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
