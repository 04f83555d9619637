package dev.reflector.test.internal.exchange;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.test.internal.api.ApiPath;
import io.netty.handler.codec.http.QueryStringDecoder;
import reactor.netty.http.server.HttpServerRequest;

/**
 * The recorded data of a request. These data also decide which fault is played.
 *
 * @param method the method, upper case
 * @param path the path as it was sent, without the query
 * @param parameters the query parameters, decoded; if a parameter is repeated, its first
 * value
 * @param headers the headers; names are case-insensitive. Of the header
 * {@code Authorization}, only the scheme is recorded
 * @param receivedAt when the request was received
 * @param body the bytes of the body; empty until the body is read
 */
public record ReceivedRequest(String method, String path, Map<String, String> parameters, Map<String, String> headers,
		Instant receivedAt, AtomicReference<byte[]> body) {

	private static final byte[] NOTHING = new byte[0];

	public ReceivedRequest(String method, String path, Map<String, String> parameters, Map<String, String> headers,
			Instant receivedAt) {
		this(method, path, parameters, headers, receivedAt, new AtomicReference<>(NOTHING));
	}

	static ReceivedRequest of(HttpServerRequest request) {
		QueryStringDecoder decoder = new QueryStringDecoder(request.uri());
		Map<String, String> parameters = new LinkedHashMap<>();
		decoder.parameters().forEach((name, values) -> parameters.put(name, values.get(0)));
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		request.requestHeaders().forEach((header) -> headers.putIfAbsent(header.getKey(), header.getValue()));
		headers.computeIfPresent("Authorization", (name, value) -> value.strip().split("\\s", 2)[0]);
		return new ReceivedRequest(request.method().name(), decoder.rawPath(), Collections.unmodifiableMap(parameters),
				Collections.unmodifiableMap(headers), Instant.now());
	}

	/**
	 * Whether the request is a watch of a collection.
	 * @return whether it is a watch
	 */
	public boolean isWatch() {
		return "GET".equals(this.method) && pathOfCollection() && watchParameter();
	}

	/**
	 * Whether the request is a list of a collection, or a page of a list.
	 * @return whether it is a list
	 */
	public boolean isList() {
		return "GET".equals(this.method) && pathOfCollection() && !watchParameter();
	}

	/**
	 * Whether the request is about a collection or an object of the collection.
	 * @param plural the plural of the collection
	 * @return whether the path has this plural
	 */
	public boolean isAbout(String plural) {
		ApiPath path = ApiPath.parse(this.path);
		return path != null && path.plural().equals(plural);
	}

	/**
	 * Whether the request creates, changes or deletes something, or would do so without
	 * {@code dryRun}.
	 * @return whether the request is a write
	 */
	public boolean isWrite() {
		return switch (this.method) {
			case "POST", "PUT", "PATCH", "DELETE" -> {
				ApiPath path = ApiPath.parse(this.path);
				yield path != null && !path.plural().isEmpty();
			}
			default -> false;
		};
	}

	private boolean pathOfCollection() {
		ApiPath path = ApiPath.parse(this.path);
		return path != null && !path.plural().isEmpty() && path.name().isEmpty();
	}

	private boolean watchParameter() {
		String watch = this.parameters.getOrDefault("watch", "").toLowerCase(Locale.ROOT);
		return "1".equals(watch) || "true".equals(watch);
	}

	@Override
	public String toString() {
		// the text does not contain the headers, because they may contain credentials
		return this.method + " " + this.path + (this.parameters.isEmpty() ? "" : "?" + this.parameters);
	}

}
