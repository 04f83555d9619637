package dev.reflector.client;

import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import dev.reflector.Experimental;
import dev.reflector.GenericResource;
import dev.reflector.LeasePurpose;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.KubeconfigException;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.internal.bind.FormerAnnotations;
import dev.reflector.client.internal.bind.GenericResourceDeserializer;
import dev.reflector.client.internal.bind.MetadataOnly;
import dev.reflector.client.internal.bind.Readability;
import dev.reflector.client.internal.bind.ServerObjectModule;
import dev.reflector.client.internal.decode.ExpectedType;
import dev.reflector.client.internal.discovery.ApiDiscovery;
import dev.reflector.client.internal.discovery.PluralSource;
import dev.reflector.client.internal.discovery.ServerIdentity;
import dev.reflector.client.internal.exchange.AnswerCompression;
import dev.reflector.client.internal.exchange.CollectionUris;
import dev.reflector.client.internal.exchange.ContentNegotiation;
import dev.reflector.client.internal.exchange.Exchange;
import dev.reflector.client.internal.exchange.Recovery;
import dev.reflector.client.internal.http.ConnectorPlan;
import dev.reflector.client.internal.http.ExplainingTrustManager;
import dev.reflector.client.internal.http.HttpClients;
import dev.reflector.client.internal.http.HttpLibraries;
import dev.reflector.client.internal.http.HttpLibrary;
import dev.reflector.client.internal.http.TransportFailures;
import dev.reflector.client.internal.schema.SchemaRequest;
import dev.reflector.client.options.ClientOptions;
import dev.reflector.client.options.HttpVersion;
import dev.reflector.client.options.ObjectFormat;
import dev.reflector.leaderelection.ResourceLock;
import dev.reflector.sharding.membership.MemberStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Lists and watches the collections of one API server, and writes to them. All requests
 * share connections. Uses the application's builders and settings for HTTP clients, but
 * its own connector and connections. With the timeouts for ordinary requests, quiet
 * watches would end, and with redirects, the token could be sent to another server.
 *
 * @since 0.1.0
 */
public final class ApiServerClient {

	private static final Logger logger = LoggerFactory.getLogger(ApiServerClient.class);

	private final ApiServer server;

	private final ClientOptions options;

	private final HttpClients clients;

	private final Exchange exchange;

	private final JsonMapper applicationMapper;

	private final JsonMapper objectMapper;

	private final Scheduler decodeScheduler;

	private final Recovery recovery;

	private final ApiDiscovery discovery;

	private final ServerIdentity identity;

	private ApiServerClient(Builder builder) {
		ApiServer server = builder.server;
		ClientOptions options = builder.options;
		boolean https = "https".equalsIgnoreCase(server.url().getScheme());
		boolean http2 = options.httpVersion() == HttpVersion.HTTP_2 && https;
		HttpClientSettings settings = builder.connectorSettings;
		ConnectorPlan plan = new ConnectorPlan(http2, server.url().getHost(), server.route(), options.timeouts(),
				options.maxListConnections(), (bundle) -> settings(settings, bundle, options));
		HttpLibrary library = HttpLibraries.of(builder.connectorBuilder.get(), plan);
		WebClient.Builder webClientBuilder = builder.webClientBuilder.clone()
			.defaultHeader(HttpHeaders.ACCEPT, MediaType.APPLICATION_JSON_VALUE)
			.defaultHeaders((headers) -> ImpersonationHeaders.add(server.impersonation(), headers));
		this.server = server;
		this.options = options;
		this.clients = new HttpClients(webClientBuilder, server.ssl(), (bundle) -> library.connectors(
				https ? ExplainingTrustManager.adapt((bundle != null) ? bundle : settings.sslBundle(), server) : null));
		this.clients.prepare();
		this.exchange = new Exchange(this.clients, token(builder), options.timeouts(),
				new TransportFailures(server, library, plan),
				new AnswerCompression(options.compression(), options.maxObjectSize().toBytes()));
		this.applicationMapper = builder.jsonMapper.get();
		this.objectMapper = ServerObjectModule.mapper(this.applicationMapper);
		this.decodeScheduler = builder.decodeScheduler;
		this.recovery = new Recovery(this.exchange, server.url(), builder.timeSource);
		this.discovery = new ApiDiscovery(this.exchange, server.url(), this.decodeScheduler, builder.timeSource);
		this.identity = new ServerIdentity(this.exchange, server.url());
	}

	private static TokenSource token(Builder builder) {
		ApiServer server = builder.server;
		return (builder.tokenOverHttp || !ExposedToken.isExposed(server)) ? server.token() : new ExposedToken(server);
	}

	private static HttpClientSettings settings(HttpClientSettings settings, @Nullable SslBundle bundle,
			ClientOptions options) {
		HttpClientSettings own = settings.withConnectTimeout(options.timeouts().connect())
			// a watch may be quiet for any time
			.withReadTimeout(null)
			// the address of the server is configured, and a filter would refuse the
			// private addresses of clusters
			.withInetAddressFilter(null)
			.withRedirects(HttpRedirects.DONT_FOLLOW);
		return (bundle != null) ? own.withSslBundle(bundle) : own;
	}

	/**
	 * Returns a builder of a client.
	 * @param server the server, with its URL and credentials
	 * @return a builder with defaults for everything else
	 */
	public static Builder builder(ApiServer server) {
		return new Builder(server);
	}

	/**
	 * Lists and watches one collection.
	 * @param <T> the type of the objects
	 * @param type the type to read objects into; if the type declares only metadata, only
	 * the metadata of objects is requested
	 * @param accessor reads the metadata of objects
	 * @param resourceType the collection; if it has no plural, the client asks the server
	 * for the plural before the first request
	 * @param labelSelector label selector, empty for all objects
	 * @param fieldSelector field selector, empty for all objects
	 * @return the source of the collection
	 * @throws IllegalArgumentException if the resource type cannot be part of a URL
	 */
	public <T> ListerWatcher<T> listerWatcher(Class<T> type, ResourceAccessor<T> accessor, ResourceType resourceType,
			String labelSelector, String fieldSelector) {
		return listerWatcher(type, accessor, resourceType, labelSelector, fieldSelector, null);
	}

	/**
	 * Lists and watches one collection.
	 * @param <T> the type of the objects
	 * @param type the type to read objects into
	 * @param accessor reads the metadata of objects
	 * @param resourceType the collection; if it has no plural, the client asks the server
	 * for the plural before the first request
	 * @param labelSelector label selector, empty for all objects
	 * @param fieldSelector field selector, empty for all objects
	 * @param metadataOnly whether to request only the metadata of objects; {@code null}
	 * to request only the metadata if the type declares nothing else
	 * @return the source of the collection
	 * @throws IllegalArgumentException if the resource type cannot be part of a URL, or
	 * if {@code metadataOnly} is {@code true} and the type declares more than metadata
	 */
	public <T> ListerWatcher<T> listerWatcher(Class<T> type, ResourceAccessor<T> accessor, ResourceType resourceType,
			String labelSelector, String fieldSelector, @Nullable Boolean metadataOnly) {
		boolean declared = MetadataOnly.declares(type);
		if (Boolean.TRUE.equals(metadataOnly) && !declared && type != GenericResource.class) {
			throw new IllegalArgumentException(type.getName() + " declares more than metadata");
		}
		String former = FormerAnnotations.find(type);
		if (former != null) {
			logger.warn("{}: {} has no effect, because this library reads objects with Jackson 3. Use the "
					+ "annotation from the package tools.jackson.databind.annotation", resourceType, former);
		}
		boolean partial = (metadataOnly != null) ? metadataOnly : declared;
		CollectionUris uris = new CollectionUris(this.server.url(), resourceType, labelSelector, fieldSelector);
		ObjectReader reader = this.objectMapper.readerFor(type)
			.withAttribute(ResourceType.class, resourceType)
			.withAttribute(GenericResourceDeserializer.METADATA_ONLY, partial);
		CollectionReader<T> collection = new CollectionReader<>(reader, type, accessor,
				new ExpectedType(resourceType, partial), (int) this.options.maxObjectSize().toBytes(),
				this.decodeScheduler);
		ObjectFormat format = this.options.format();
		return new WebClientListerWatcher<>(this.exchange, this.recovery, uris,
				new PluralSource(this.discovery, resourceType),
				new ContentNegotiation(partial, format,
						(format == ObjectFormat.AUTO) ? collection::prefersProtobuf : collection::knowsProtobuf),
				collection, this.identity);
	}

	/**
	 * Returns a builder of a writer, which applies, creates and deletes objects. The
	 * writer needs the verb {@code patch} on each collection to which it applies records,
	 * or on the collection's {@code status} if it applies a status. It needs the verbs
	 * {@code create} and {@code delete} on collections in which it creates and deletes
	 * objects.
	 * @return a builder; no request is made
	 */
	@Experimental
	public ResourceWriterBuilder writer() {
		return new ResourceWriterBuilder(this.exchange, this.server.url(), this.discovery, this.applicationMapper);
	}

	/**
	 * Returns a lock for a leader election, kept in a {@code Lease}. Needs the verbs
	 * {@code get}, {@code create} and {@code update} on
	 * {@code leases.coordination.k8s.io}.
	 * @param namespace namespace of the lease
	 * @param name name of the lease
	 * @param identity name of this candidate, which must be unique
	 * @return the lock; no request is made
	 * @throws IllegalArgumentException if a name cannot be part of a URL
	 */
	public ResourceLock leaseLock(String namespace, String name, String identity) {
		return leaseLock(namespace, name, identity, () -> LeasePurpose.UNKNOWN);
	}

	/**
	 * Returns a lock for a leader election, kept in a {@code Lease}. The lock writes into
	 * the Lease what the Lease is used for, and logs a warning if another candidate uses
	 * the same Lease for something else.
	 * @param namespace namespace of the lease
	 * @param name name of the lease
	 * @param identity name of this candidate, which must be unique
	 * @param purpose returns what the Lease is used for; called for each request, on any
	 * thread, and must not block
	 * @return the lock; no request is made
	 * @throws IllegalArgumentException if a name cannot be part of a URL
	 */
	public ResourceLock leaseLock(String namespace, String name, String identity, Supplier<LeasePurpose> purpose) {
		return new LeaseLock(new LeaseApi(this.exchange, this.server.url(), namespace, name), name, identity, purpose);
	}

	/**
	 * Returns the {@code Lease}s of replicas that share slots. Needs the verbs
	 * {@code list}, {@code create}, {@code update} and {@code delete} on
	 * {@code leases.coordination.k8s.io}.
	 * @param namespace namespace of the leases
	 * @param group the name that all these replicas share, such as the name of the
	 * application: up to 63 lower-case letters, digits and {@code -}
	 * @param identity name of this replica, which must be unique: lower-case letters,
	 * digits, {@code -} and {@code .}, such as the name of a pod
	 * @return the leases; no request is made
	 * @throws IllegalArgumentException if the group or the identity cannot be part of the
	 * name of a Lease
	 */
	public MemberStore shardMembers(String namespace, String group, String identity) {
		String name = LeaseMembers.name(group, identity);
		ListerWatcher<GenericResource> collection = listerWatcher(GenericResource.class, LeaseMembers.ACCESSOR,
				LeaseApi.TYPE, LeaseMembers.labelSelector(group), "", false);
		return new LeaseMembers(new LeaseApi(this.exchange, this.server.url(), namespace, name), collection, group,
				identity);
	}

	/**
	 * Checks whether Jackson can read objects into a type, before the first object is
	 * read.
	 * @param type the type
	 * @return why Jackson cannot read the type, or {@code null} if no problem is found;
	 * the application's own deserializers are not checked
	 */
	public @Nullable String bindingProblem(Class<?> type) {
		return Readability.problem(this.objectMapper.readerFor(type), type);
	}

	/**
	 * Requests the server's OpenAPI v3 schemas of some kinds, to compare them with the
	 * types that mirror these kinds. The server never sends a property that its schema
	 * does not have. An object cannot be read if the type declares another JSON type for
	 * a property than the schema. Blocks until the response has been read. The response
	 * may have up to 32 MB; only the schemas of these kinds are kept.
	 * @param apiVersion the API version, such as {@code apps/v1}
	 * @param kinds the kinds, all of this API version
	 * @return a function that compares the schema of a kind with a type, and returns the
	 * differences; it returns an empty list if the server has no schema of the kind
	 * @throws dev.reflector.cache.source.ApiException if the server refuses the request,
	 * or has no schemas of this API version
	 */
	public BiFunction<String, Class<?>, List<String>> schemas(String apiVersion, Set<String> kinds) {
		return new SchemaRequest(this.exchange, this.server.url(), this.objectMapper).send(apiVersion, kinds);
	}

	/**
	 * Closes idle connections now and busy connections after their use, and releases
	 * their threads and pools. The client can be used again: its next request makes new
	 * connections with the current resources of the connector builder, such as the event
	 * loops of a restarted application context. Waits up to 5 seconds for a warm-up that
	 * is still running.
	 */
	public void disconnect() {
		this.clients.disconnect();
		this.exchange.releaseThreads();
	}

	/**
	 * Returns the options of the client.
	 * @return the options that were set in the builder
	 */
	public ClientOptions options() {
		return this.options;
	}

	@Override
	public String toString() {
		return this.server.toString();
	}

	/**
	 * Builds a client.
	 */
	public static final class Builder {

		private final ApiServer server;

		private WebClient.Builder webClientBuilder = WebClient.builder();

		private Supplier<ClientHttpConnectorBuilder<?>> connectorBuilder = ClientHttpConnectorBuilder::detect;

		private HttpClientSettings connectorSettings = HttpClientSettings.defaults();

		private Supplier<JsonMapper> jsonMapper = () -> JsonMapper.builder().findAndAddModules().build();

		private ClientOptions options = ClientOptions.defaults();

		private Scheduler decodeScheduler = Schedulers.parallel();

		private TimeSource timeSource = new ReactorTimeSource();

		private boolean tokenOverHttp;

		private Builder(ApiServer server) {
			this.server = server;
		}

		/**
		 * Sets the builder whose filters, headers and observations are used for requests.
		 * @param webClientBuilder the builder, which is not changed
		 * @return this builder
		 */
		public Builder webClientBuilder(WebClient.Builder webClientBuilder) {
			this.webClientBuilder = webClientBuilder;
			return this;
		}

		/**
		 * Sets the HTTP library. By default, Spring Boot detects the library on the class
		 * path.
		 * @param connectorBuilder builds connectors of the library
		 * @return this builder
		 */
		public Builder connectorBuilder(ClientHttpConnectorBuilder<?> connectorBuilder) {
			this.connectorBuilder = () -> connectorBuilder;
			return this;
		}

		/**
		 * Sets the settings of the connector.
		 * @param connectorSettings the settings. The client replaces the timeouts and the
		 * handling of redirects. It also replaces the SSL bundle if the {@link ApiServer}
		 * has one. The filter of addresses is not used, because the address of the server
		 * is configured
		 * @return this builder
		 */
		public Builder connectorSettings(HttpClientSettings connectorSettings) {
			this.connectorSettings = connectorSettings;
			return this;
		}

		/**
		 * Sets the mapper that reads objects. The default is a mapper with all modules of
		 * the class path.
		 * @param jsonMapper the mapper, which is not changed
		 * @return this builder
		 */
		public Builder jsonMapper(JsonMapper jsonMapper) {
			this.jsonMapper = () -> jsonMapper;
			return this;
		}

		/**
		 * Sets the options of the client.
		 * @param options the options
		 * @return this builder
		 */
		public Builder options(ClientOptions options) {
			this.options = options;
			return this;
		}

		/**
		 * Sets the scheduler whose threads decode objects. The default is
		 * {@link Schedulers#parallel()}.
		 * @param decodeScheduler the scheduler
		 * @return this builder
		 */
		public Builder decodeScheduler(Scheduler decodeScheduler) {
			this.decodeScheduler = decodeScheduler;
			return this;
		}

		/**
		 * Sets the clock that measures the pauses between requests while a type is not
		 * served, or while the server is not reached. Network timeouts do not depend on
		 * this clock.
		 * @param timeSource the clock; by default the clock of the machine
		 * @return this builder
		 */
		public Builder timeSource(TimeSource timeSource) {
			this.timeSource = timeSource;
			return this;
		}

		/**
		 * Sets whether the application allows that a token is sent without TLS to a
		 * server on another machine. If it does not, the token is sent nevertheless, but
		 * a warning is logged once.
		 * @param allowed whether this is allowed, so that no warning is logged; by
		 * default {@code false}
		 * @return this builder
		 */
		public Builder allowTokenOverHttp(boolean allowed) {
			this.tokenOverHttp = allowed;
			return this;
		}

		/**
		 * Builds the client. Makes no request, but may prepare the HTTP library in the
		 * background, so that the first request is faster.
		 * @return the client
		 * @throws KubeconfigException if the HTTP library does not support the configured
		 * proxy, server name or version of HTTP
		 */
		public ApiServerClient build() {
			return new ApiServerClient(this);
		}

	}

}
