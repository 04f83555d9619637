package dev.reflector.test;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

import dev.reflector.test.internal.exchange.ReceivedRequest;
import dev.reflector.test.internal.write.WriteOptions;
import org.jspecify.annotations.Nullable;

/**
 * A request that the embedded server has received.
 *
 * @param method the method, upper case
 * @param path the path as it was sent, without the query
 * @param parameters the query parameters, decoded; if a parameter is repeated, its first
 * value
 * @param headers the headers; names are case-insensitive. Of the header
 * {@code Authorization}, only the scheme is recorded, such as {@code Bearer}
 * @param receivedAt when the request was received
 * @param body the body as text, empty if there is no body or the body has not been read.
 * When {@link EmbeddedApiServer#fail} checks whether the request matches, the body has
 * not been read yet. It is never read if a fault replaces the answer
 * @since 0.1.0
 */
public record RecordedRequest(String method, String path, Map<String, String> parameters, Map<String, String> headers,
		Instant receivedAt, String body) {

	/**
	 * Creates a request without a body.
	 * @param method the method, upper case
	 * @param path the path as it was sent, without the query
	 * @param parameters the query parameters, decoded
	 * @param headers the headers
	 * @param receivedAt when the request was received
	 */
	public RecordedRequest(String method, String path, Map<String, String> parameters, Map<String, String> headers,
			Instant receivedAt) {
		this(method, path, parameters, headers, receivedAt, "");
	}

	static RecordedRequest of(ReceivedRequest request) {
		return new RecordedRequest(request.method(), request.path(), request.parameters(), request.headers(),
				request.receivedAt(), new String(request.body().get(), StandardCharsets.UTF_8));
	}

	private ReceivedRequest received() {
		return new ReceivedRequest(this.method, this.path, this.parameters, this.headers, this.receivedAt);
	}

	/**
	 * Returns the value of a query parameter.
	 * @param name name of the parameter
	 * @return the value, or {@code null} if the request does not have the parameter
	 */
	public @Nullable String parameter(String name) {
		return this.parameters.get(name);
	}

	/**
	 * Returns the value of a header.
	 * @param name name of the header, case-insensitive
	 * @return the value, or {@code null} if the request does not have the header
	 */
	public @Nullable String header(String name) {
		return this.headers.get(name);
	}

	/**
	 * Whether the request is a watch of a collection.
	 * @return whether it is a watch
	 */
	public boolean isWatch() {
		return received().isWatch();
	}

	/**
	 * Whether the request is a list of a collection, or a page of a list.
	 * @return whether it is a list
	 */
	public boolean isList() {
		return received().isList();
	}

	/**
	 * Whether the request is about a collection or an object of the collection.
	 * @param plural the plural of the collection
	 * @return whether the path has this plural
	 */
	public boolean isAbout(String plural) {
		return received().isAbout(plural);
	}

	/**
	 * Whether the request creates, changes or deletes something, or would do so without
	 * {@code dryRun}.
	 * @return whether it is a write
	 */
	public boolean isWrite() {
		return received().isWrite();
	}

	/**
	 * Returns the name of the field manager that owns what the request writes. It is the
	 * parameter {@code fieldManager}, or else the part of the header {@code User-Agent}
	 * before the first slash.
	 * @return the name, or {@code null} if the request writes nothing
	 */
	public @Nullable String manager() {
		return isWrite() ? WriteOptions.manager(this.parameters.getOrDefault("fieldManager", ""),
				this.headers.getOrDefault("User-Agent", "")) : null;
	}

	@Override
	public String toString() {
		return received().toString();
	}

}
