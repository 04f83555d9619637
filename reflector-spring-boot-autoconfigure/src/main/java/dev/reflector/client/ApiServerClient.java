package dev.reflector.client;

import java.time.Duration;

import dev.reflector.GenericResource;
import dev.reflector.ResourceType;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.ResourceAccessor;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * A connection to one API server, shared by all mirrors of it. It keeps to the
 * application's way of making HTTP clients (builder, connector, settings) but has a
 * connector of its own, because the timeouts of ordinary requests would end quiet watches
 * and redirects would carry the token elsewhere. Has connections of its own, which are
 * closed with it.
 */
public final class ApiServerClient implements AutoCloseable {

	private final ApiServer server;

	private final HttpClients clients;

	private final Exchange exchange;

	private final JsonMapper objectMapper;

	private final JsonMapper protocolMapper = JsonMapper.builder().build();

	private final StatusReader statusReader;

	private final int maxObjectSize;

	private final Scheduler decodeScheduler;

	/**
	 * Creates the client. Makes no request.
	 * @param builder the application's builder, which is left as it is
	 * @param connectorBuilder makes the connector
	 * @param settings settings of the connector; timeouts, redirects and SSL bundle are
	 * replaced
	 * @param jsonMapper the application's mapper, which is left as it is
	 * @param server where the server is
	 * @param options behaviour
	 * @param decodeScheduler runs the decoding of objects
	 * @throws KubeconfigException when the connector cannot take the route to the server
	 */
	public ApiServerClient(WebClient.Builder builder, ClientHttpConnectorBuilder<?> connectorBuilder,
			HttpClientSettings settings, JsonMapper jsonMapper, ApiServer server, Options options,
			Scheduler decodeScheduler) {
		WebClient.Builder own = builder.clone()
			.defaultHeader(HttpHeaders.USER_AGENT, options.userAgent())
			.defaultHeader(HttpHeaders.ACCEPT, MediaType.APPLICATION_JSON_VALUE)
			// W-65: no transport-level decompression may hold back a frame (E-29)
			.defaultHeader(HttpHeaders.ACCEPT_ENCODING, "identity")
			.defaultHeaders(server.impersonation()::apply);
		ClientHttpConnectorBuilder<?> connectors = PlainConnectors.of(connectorBuilder, server.route());
		this.clients = new HttpClients(own, server.ssl(),
				(bundle) -> OwnedConnector.build(connectors, settings(settings, server, bundle, options)));
		this.clients.prepare();
		this.objectMapper = objectMapper(jsonMapper);
		this.server = server;
		this.statusReader = new StatusReader(this.protocolMapper);
		this.exchange = new Exchange(this.clients, server, options.idleTimeout(), this.statusReader);
		this.maxObjectSize = (int) options.maxObjectSize().toBytes();
		this.decodeScheduler = decodeScheduler;
	}

	private static HttpClientSettings settings(HttpClientSettings settings, ApiServer server,
			@Nullable SslBundle bundle, Options options) {
		HttpClientSettings own = settings.withConnectTimeout(options.connectTimeout())
			// between two events there may be any time
			.withReadTimeout(null)
			.withRedirects(HttpRedirects.DONT_FOLLOW);
		if (!"https".equalsIgnoreCase(server.url().getScheme())) {
			return own;
		}
		return own
			.withSslBundle(ExplainingTrustManager.adapt((bundle != null) ? bundle : settings.sslBundle(), server));
	}

	private static JsonMapper objectMapper(JsonMapper jsonMapper) {
		// what the application wants of its own JSON does not hold for that of the server
		return jsonMapper.rebuild()
			.propertyNamingStrategy(null)
			.addModule(new SimpleModule("reflector").addDeserializer(GenericResource.class,
					new GenericResourceDeserializer()))
			.disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES,
					DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES,
					DeserializationFeature.FAIL_ON_TRAILING_TOKENS, DeserializationFeature.UNWRAP_ROOT_VALUE)
			.build();
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
		ObjectDecoder<T> decoder = new ObjectDecoder<>(reader, accessor, new ExpectedType(resourceType, partial));
		return new WebClientListerWatcher<>(this.exchange, uris,
				new PluralSource(this.exchange, uris, this.protocolMapper), new Representation(partial), decoder,
				new WatchDecoder<>(decoder, this.statusReader), new ListMetadataReader(this.protocolMapper),
				this.maxObjectSize, this.decodeScheduler);
	}

	/**
	 * Closes the connections that are not in use, and the others after their use.
	 */
	@Override
	public void close() {
		this.clients.close();
	}

	@Override
	public String toString() {
		return this.server.toString();
	}

	/**
	 * How a client behaves.
	 *
	 * @param connectTimeout how long to wait for a connection
	 * @param idleTimeout after which silence a response counts as dead (E-02): a watch is
	 * then closed as if the server had ended it, a list fails
	 * @param maxObjectSize size of the JSON text of one object from which on it is
	 * skipped
	 * @param userAgent value of the header {@code User-Agent}
	 */
	public record Options(Duration connectTimeout, Duration idleTimeout, DataSize maxObjectSize, String userAgent) {

		private static final DataSize MAX_OBJECT_SIZE = DataSize.ofGigabytes(1);

		/**
		 * Checks the values.
		 */
		public Options {
			if (connectTimeout.isNegative() || connectTimeout.isZero()) {
				throw new IllegalArgumentException("'connectTimeout' must be positive");
			}
			if (idleTimeout.isNegative() || idleTimeout.isZero()) {
				throw new IllegalArgumentException("'idleTimeout' must be positive");
			}
			if (maxObjectSize.toBytes() < 1 || maxObjectSize.toBytes() > MAX_OBJECT_SIZE.toBytes()) {
				throw new IllegalArgumentException("'maxObjectSize' must be between 1 byte and 1 GB");
			}
		}

	}

}
