package dev.reflector.test;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import io.netty.handler.codec.http.QueryStringDecoder;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServerRequest;

/**
 * A request the embedded server has received.
 *
 * @param method the method, upper case
 * @param path the path as it was sent, without the query
 * @param parameters the query parameters, decoded; of one that is given several times,
 * the first
 * @param headers the headers; names are looked up in any case. Of {@code Authorization}
 * only the scheme is there, such as {@code Bearer}
 * @param receivedAt when it was received
 * @since 0.1.0
 */
public record RecordedRequest(String method, String path, Map<String, String> parameters, Map<String, String> headers,
		Instant receivedAt) {

	static RecordedRequest of(HttpServerRequest request) {
		QueryStringDecoder decoder = new QueryStringDecoder(request.uri());
		Map<String, String> parameters = new LinkedHashMap<>();
		decoder.parameters().forEach((name, values) -> parameters.put(name, values.get(0)));
		Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
		request.requestHeaders().forEach((header) -> headers.putIfAbsent(header.getKey(), header.getValue()));
		headers.computeIfPresent("Authorization", (name, value) -> value.strip().split("\\s", 2)[0]);
		return new RecordedRequest(request.method().name(), decoder.rawPath(), Collections.unmodifiableMap(parameters),
				Collections.unmodifiableMap(headers), Instant.now());
	}

	/**
	 * A query parameter.
	 * @param name name of the parameter
	 * @return the value, {@code null} when the request does not have it
	 */
	public @Nullable String parameter(String name) {
		return this.parameters.get(name);
	}

	/**
	 * A header.
	 * @param name name of the header, in any case
	 * @return the value, {@code null} when the request does not have it
	 */
	public @Nullable String header(String name) {
		return this.headers.get(name);
	}

	/**
	 * Whether it is a watch of a collection.
	 * @return whether it is a watch
	 */
	public boolean isWatch() {
		return "GET".equals(this.method) && pathOfCollection() && watchParameter();
	}

	/**
	 * Whether it is a list of a collection; each page counts.
	 * @return whether it is a list
	 */
	public boolean isList() {
		return "GET".equals(this.method) && pathOfCollection() && !watchParameter();
	}

	/**
	 * Whether it is about a collection or an object in it.
	 * @param plural the plural of the collection
	 * @return whether the plural is in its place in the path
	 */
	public boolean isAbout(String plural) {
		ApiPath path = ApiPath.parse(this.path);
		return path != null && path.plural().equals(plural);
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
		// without headers: they may hold credentials
		return this.method + " " + this.path + (this.parameters.isEmpty() ? "" : "?" + this.parameters);
	}

}
