package dev.reflector.client;

import dev.reflector.GenericResource;
import dev.reflector.ResourceType;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.KubeconfigException;
import dev.reflector.client.internal.bind.GenericResourceDeserializer;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import dev.reflector.client.internal.bind.MetadataOnly;
import dev.reflector.client.internal.bind.ObjectBinder;
import dev.reflector.client.internal.bind.Readability;
import dev.reflector.client.internal.bind.ServerObjectModule;
import dev.reflector.client.internal.cbor.CborDecoder;
import dev.reflector.client.internal.decode.ExpectedType;
import dev.reflector.client.internal.decode.ListMetadataReader;
import dev.reflector.client.internal.decode.ObjectDecoder;
import dev.reflector.client.internal.decode.StatusReader;
import dev.reflector.client.internal.decode.WatchDecoder;
import dev.reflector.client.internal.discovery.ApiDiscovery;
import dev.reflector.client.internal.discovery.PluralSource;
import dev.reflector.client.internal.discovery.ServerIdentity;
import dev.reflector.client.internal.exchange.AnswerCompression;
import dev.reflector.client.internal.exchange.CborOffer;
import dev.reflector.client.internal.exchange.CollectionUris;
import dev.reflector.client.internal.exchange.Exchange;
import dev.reflector.client.internal.exchange.Recovery;
import dev.reflector.client.internal.http.ConnectorPlan;
import dev.reflector.client.internal.http.HttpLibraries;
import dev.reflector.client.internal.http.HttpLibrary;
import dev.reflector.client.internal.http.ExplainingTrustManager;
import dev.reflector.client.internal.http.HttpClients;
import dev.reflector.client.internal.http.ReactorTimeSource;
import dev.reflector.client.internal.http.TransportFailures;
import dev.reflector.client.options.ClientOptions;
import dev.reflector.client.options.HttpVersion;
import dev.reflector.client.options.ObjectFormat;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
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
 * Makes the sources of mirrors of one API server, which share its connections. It keeps
 * to the application's way of making HTTP clients (builder, connector, settings) but has
 * a connector of its own, because the timeouts of ordinary requests would end quiet
 * watches and redirects would carry the token elsewhere. Has connections of its own.
 *
 * @since 0.1.0
 */
public final class ApiServerClient {

	private final ApiServer server;

	private final HttpClients clients;

	private final Exchange exchange;

	private final JsonMapper objectMapper;

	private final JsonMapper protocolMapper = JsonMapper.builder().build();

	private final StatusReader statusReader;

	private final int maxObjectSize;

	private final ObjectFormat format;

	private final Scheduler decodeScheduler;

	private final Recovery recovery;

	private final ApiDiscovery discovery;

	private final ServerIdentity identity;

	/**
	 * Creates the client, with the time of the machine. Makes no request; what the first
	 * one needs of the HTTP library may be made ahead of it, on another thread.
	 * @param builder the application's builder, which is left as it is
	 * @param connectorBuilder makes the connector
	 * @param settings settings of the connector; timeouts, redirects and SSL bundle are
	 * replaced
	 * @param jsonMapper the application's mapper, which is left as it is
	 * @param server where the server is
	 * @param options behaviour
	 * @param decodeScheduler runs the decoding of objects
	 * @throws KubeconfigException when the connector cannot take the route to the server,
	 * or cannot be told which version of HTTP to speak
	 */
	public ApiServerClient(WebClient.Builder builder, ClientHttpConnectorBuilder<?> connectorBuilder,
			HttpClientSettings settings, JsonMapper jsonMapper, ApiServer server, ClientOptions options,
			Scheduler decodeScheduler) {
		this(builder, connectorBuilder, settings, jsonMapper, server, options, decodeScheduler,
				new ReactorTimeSource());
	}

	/**
	 * Creates the client. Makes no request; what the first one needs of the HTTP library
	 * may be made ahead of it, on another thread.
	 * @param builder the application's builder, which is left as it is
	 * @param connectorBuilder makes the connector
	 * @param settings settings of the connector; timeouts, redirects and SSL bundle are
	 * replaced
	 * @param jsonMapper the application's mapper, which is left as it is
	 * @param server where the server is
	 * @param options behaviour
	 * @param decodeScheduler runs the decoding of objects
	 * @param time tells when to look again for a type that is not served; timeouts of the
	 * network do not depend on it
	 * @throws KubeconfigException when the connector cannot take the route to the server,
	 * or cannot be told which version of HTTP to speak
	 */
	public ApiServerClient(WebClient.Builder builder, ClientHttpConnectorBuilder<?> connectorBuilder,
			HttpClientSettings settings, JsonMapper jsonMapper, ApiServer server, ClientOptions options,
			Scheduler decodeScheduler, TimeSource time) {
		WebClient.Builder own = builder.clone()
			.defaultHeader(HttpHeaders.USER_AGENT, options.userAgent())
			.defaultHeader(HttpHeaders.ACCEPT, MediaType.APPLICATION_JSON_VALUE)
			.defaultHeaders(server.impersonation()::apply);
		boolean https = "https".equalsIgnoreCase(server.url().getScheme());
		boolean http2 = options.httpVersion() == HttpVersion.HTTP_2 && https;
		ConnectorPlan plan = new ConnectorPlan(http2, server.url().getHost(), server.route(), options.timeouts(),
				options.maxListConnections(), (bundle) -> settings(settings, bundle, options));
		HttpLibrary library = HttpLibraries.of(connectorBuilder, plan);
		this.clients = new HttpClients(own, server.ssl(), (bundle) -> library.connectors(
				https ? ExplainingTrustManager.adapt((bundle != null) ? bundle : settings.sslBundle(), server) : null));
		this.clients.prepare();
		this.objectMapper = ServerObjectModule.mapper(jsonMapper);
		this.server = server;
		this.statusReader = new StatusReader(this.protocolMapper);
		this.exchange = new Exchange(this.clients, server, options.timeouts(),
				new TransportFailures(server, library, plan), this.statusReader,
				new AnswerCompression(options.compression(), options.maxObjectSize().toBytes()));
		this.maxObjectSize = (int) options.maxObjectSize().toBytes();
		this.format = options.format();
		this.decodeScheduler = decodeScheduler;
		this.recovery = new Recovery(this.exchange, server.url(), time);
		this.discovery = new ApiDiscovery(this.exchange, server.url(), decodeScheduler, time);
		this.identity = new ServerIdentity(this.exchange, server.url(), this.protocolMapper);
	}

	private static HttpClientSettings settings(HttpClientSettings settings, @Nullable SslBundle bundle,
			ClientOptions options) {
		HttpClientSettings own = settings.withConnectTimeout(options.timeouts().connect())
			// between two events there may be any time
			.withReadTimeout(null)
			.withRedirects(HttpRedirects.DONT_FOLLOW);
		return (bundle != null) ? own.withSslBundle(bundle) : own;
	}

	/**
	 * The lists and watches of one collection.
	 * @param <T> the type of the objects
	 * @param type the type to read objects into
	 * @param accessor reads the metadata of objects
	 * @param resourceType the collection; without a plural, the server is asked for it
	 * before the first request
	 * @param labelSelector label selector, empty for everything
	 * @param fieldSelector field selector, empty for everything
	 * @return the lists and watches; of a type that declares nothing but its metadata,
	 * only that is asked for
	 * @throws IllegalArgumentException when the type cannot stand in a URL
	 */
	public <T> ListerWatcher<T> listerWatcher(Class<T> type, ResourceAccessor<T> accessor, ResourceType resourceType,
			String labelSelector, String fieldSelector) {
		return listerWatcher(type, accessor, resourceType, labelSelector, fieldSelector, null);
	}

	/**
	 * The lists and watches of one collection.
	 * @param <T> the type of the objects
	 * @param type the type to read objects into
	 * @param accessor reads the metadata of objects
	 * @param resourceType the collection; without a plural, the server is asked for it
	 * before the first request
	 * @param labelSelector label selector, empty for everything
	 * @param fieldSelector field selector, empty for everything
	 * @param metadataOnly whether to ask the server for nothing but the metadata of
	 * objects; {@code null} to do so when the type declares nothing else
	 * @return the lists and watches
	 * @throws IllegalArgumentException when the type cannot stand in a URL, or when
	 * metadata alone is wanted for a type that declares more
	 */
	public <T> ListerWatcher<T> listerWatcher(Class<T> type, ResourceAccessor<T> accessor, ResourceType resourceType,
			String labelSelector, String fieldSelector, @Nullable Boolean metadataOnly) {
		boolean declared = MetadataOnly.declares(type);
		if (Boolean.TRUE.equals(metadataOnly) && !declared && type != GenericResource.class) {
			throw new IllegalArgumentException(type.getName() + " declares more than metadata");
		}
		boolean partial = (metadataOnly != null) ? metadataOnly : declared;
		CollectionUris uris = new CollectionUris(this.server.url(), resourceType, labelSelector, fieldSelector);
		ObjectReader reader = this.objectMapper.readerFor(type)
			.withAttribute(ResourceType.class, resourceType)
			.withAttribute(GenericResourceDeserializer.METADATA_ONLY, partial);
		return new WebClientListerWatcher<>(this.exchange, this.recovery, uris,
				new PluralSource(this.discovery, resourceType), partial, new CborOffer(this.format),
				decoders(reader, type, accessor, new ExpectedType(resourceType, partial)),
				new ListMetadataReader(this.protocolMapper), this.maxObjectSize, this.decodeScheduler, this.identity);
	}

	/**
	 * Tells whether objects of a type can be read at all, before there are any.
	 * @param type the type
	 * @return what Jackson has against the type, {@code null} when it can be read; what
	 * the application's own deserializers do is not known before
	 */
	public @Nullable String unreadable(Class<?> type) {
		return Readability.problem(this.objectMapper.readerFor(type), type);
	}

	/**
	 * Writes and reads the objects of a durable mirror.
	 * @param <T> the type of the objects
	 * @param type the type
	 * @param resourceType the collection
	 * @return the codec: JSON with the declared fields
	 */
	public <T> SnapshotCodec<T> snapshotCodec(Class<T> type, ResourceType resourceType) {
		ObjectReader reader = this.objectMapper.readerFor(type).withAttribute(ResourceType.class, resourceType);
		return new JsonSnapshotCodec<>(reader, this.objectMapper.writerFor(type), type);
	}

	private <T> ObjectDecoders<T> decoders(ObjectReader reader, Class<T> type, ResourceAccessor<T> accessor,
			ExpectedType expected) {
		ObjectDecoder<T> json = new ObjectDecoder<>(new ObjectBinder<>(reader, type), accessor, expected);
		// of its own, for it finds that next to nothing is left to leave out
		ObjectDecoder<T> pruned = new ObjectDecoder<>(new ObjectBinder<>(reader, type), accessor, expected);
		return new ObjectDecoders<>(json, new WatchDecoder<>(json, this.statusReader), new CborDecoder<>(reader, type,
				pruned, new WatchDecoder<>(pruned, this.statusReader), this.maxObjectSize));
	}

	/**
	 * Closes the connections that are not in use, and the others after their use, and
	 * gives back the threads and pools that belong to them. The client can be used again:
	 * its next request makes new connections with what the connector builder then has,
	 * such as the event loops of an application context that was stopped and started
	 * again. Waits, for 5 seconds at most, for what is being made ahead of the first
	 * request.
	 */
	public void disconnect() {
		this.clients.disconnect();
	}

	@Override
	public String toString() {
		return this.server.toString();
	}

}
