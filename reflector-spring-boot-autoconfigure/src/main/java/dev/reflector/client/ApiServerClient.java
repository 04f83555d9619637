package dev.reflector.client;

import java.net.URI;
import java.time.Duration;
import java.util.function.Function;

import dev.reflector.ResourceType;
import dev.reflector.cache.ListerWatcher;
import dev.reflector.cache.ResourceAccessor;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.util.unit.DataSize;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Talks to one API server. Safe for use by several threads; the listers and watchers it
 * makes share its connections.
 */
public final class ApiServerClient {

	private static final String URI_TEMPLATE = WebClient.class.getName() + ".uriTemplate";

	private static final int MAX_DISCOVERY_BYTES = 4 * 1024 * 1024;

	private final WebClient requests;

	private final WebClient streams;

	private final ApiServer server;

	private final Options options;

	private final JsonMapper jsonMapper;

	private final ApiErrors errors;

	private final Scheduler scheduler;

	/**
	 * Creates a client.
	 * @param builder makes the client, with the customizations of the application
	 * @param connectorBuilder makes the connector that the application has chosen
	 * @param settings settings of the application for HTTP clients. Its read timeout is
	 * not used: it would end quiet watches
	 * @param jsonMapper reads objects; unknown fields are ignored whatever it says
	 * @param server the server
	 * @param options options of the client
	 * @param decodeScheduler runs the decoding, off the I/O threads
	 */
	public ApiServerClient(WebClient.Builder builder, ClientHttpConnectorBuilder<?> connectorBuilder,
			HttpClientSettings settings, JsonMapper jsonMapper, ApiServer server, Options options,
			Scheduler decodeScheduler) {
		this.server = server;
		this.options = options;
		this.jsonMapper = jsonMapper;
		this.scheduler = decodeScheduler;
		this.errors = new ApiErrors(ResourceDecoder.tolerant(jsonMapper));
		HttpClientSettings own = new HttpClientSettings(settings.cookieHandling(), HttpRedirects.DONT_FOLLOW,
				options.connectTimeout(), null,
				(server.sslBundle() != null) ? server.sslBundle() : settings.sslBundle(), settings.inetAddressFilter());
		WebClient.Builder common = builder.clone()
			.clientConnector(connectorBuilder.build(own))
			.defaultHeader(HttpHeaders.USER_AGENT, options.userAgent());
		this.requests = common.build();
		// a request that lasts for minutes by design would distort the timings of the
		// others
		this.streams = common.clone().observationRegistry(ObservationRegistry.NOOP).build();
	}

	/**
	 * Makes a source of lists and watches of one type.
	 * @param <T> the type of the objects
	 * @param type the class of the objects
	 * @param accessor reads their metadata
	 * @param resourceType their type; without a plural the server is asked for it
	 * @param labelSelector label selector, empty for everything
	 * @param fieldSelector field selector, empty for everything
	 * @return the source
	 */
	public <T> ListerWatcher<T> listerWatcher(Class<T> type, ResourceAccessor<T> accessor, ResourceType resourceType,
			String labelSelector, String fieldSelector) {
		ResourceDecoder<T> decoder = new ResourceDecoder<>(this.jsonMapper, type, accessor, resourceType,
				this.options.maxObjectSize());
		Discovery discovery = new Discovery(this, resourceType, ResourceDecoder.tolerant(this.jsonMapper));
		return new WebClientListerWatcher<>(this, discovery, decoder, resourceType, labelSelector, fieldSelector);
	}

	Options options() {
		return this.options;
	}

	Scheduler scheduler() {
		return this.scheduler;
	}

	/** Gets a small document. */
	Mono<byte[]> get(String path, RequestDescription request) {
		return exchange(this.requests, path, request,
				(body) -> DataBufferUtils.join(body, MAX_DISCOVERY_BYTES).map((buffer) -> {
					byte[] bytes = new byte[buffer.readableByteCount()];
					buffer.read(bytes);
					DataBufferUtils.release(buffer);
					return bytes;
				}))
			.next();
	}

	/** Requests a list. */
	<R> Flux<R> list(String pathAndQuery, RequestDescription request, Function<Flux<DataBuffer>, Publisher<R>> reader) {
		return exchange(this.requests, pathAndQuery, request, reader);
	}

	/** Opens a watch. */
	<R> Flux<R> watch(String pathAndQuery, RequestDescription request,
			Function<Flux<DataBuffer>, Publisher<R>> reader) {
		return exchange(this.streams, pathAndQuery, request, reader);
	}

	private <R> Flux<R> exchange(WebClient client, String pathAndQuery, RequestDescription request,
			Function<Flux<DataBuffer>, Publisher<R>> reader) {
		return client.get()
			.uri(uri(pathAndQuery))
			.attribute(URI_TEMPLATE, request.path())
			.headers(this::headers)
			.exchangeToFlux((response) -> {
				if (response.statusCode().is2xxSuccessful()) {
					return Flux.from(reader.apply(response.bodyToFlux(DataBuffer.class)));
				}
				return this.errors.of(response, request).flatMapMany(Flux::error);
			});
	}

	private void headers(HttpHeaders headers) {
		headers.setAccept(java.util.List.of(MediaType.APPLICATION_JSON));
		// W-65: never compressed behind our back
		headers.set(HttpHeaders.ACCEPT_ENCODING, "identity");
		String token = this.server.token().token();
		if (token != null) {
			headers.setBearerAuth(token);
		}
	}

	private URI uri(String pathAndQuery) {
		String base = this.server.url().toString();
		return URI.create((base.endsWith("/") ? base.substring(0, base.length() - 1) : base) + pathAndQuery);
	}

	@Override
	public String toString() {
		return "client of " + this.server;
	}

	/**
	 * Options of a client.
	 *
	 * @param connectTimeout how long to wait for a connection
	 * @param idleTimeout how long to wait for the next byte of an answer
	 * @param maxObjectSize the largest object that is read; a larger one is skipped and
	 * reported
	 * @param userAgent what the client calls itself
	 */
	public record Options(Duration connectTimeout, Duration idleTimeout, DataSize maxObjectSize,
			@Nullable String userAgent) {

	}

}
