package dev.reflector.test;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

import dev.reflector.test.internal.exchange.ReceivedRequest;
import dev.reflector.test.internal.write.WriteOptions;
import org.jspecify.annotations.Nullable;

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
 * @param body the body as text; empty when there is none, and as long as it has not been
 * read, which is so for {@link EmbeddedApiServer#fail} and for requests that were
 * answered by a fault
 * @since 0.1.0
 */
public record RecordedRequest(String method, String path, Map<String, String> parameters, Map<String, String> headers,
		Instant receivedAt, String body) {

	/**
	 * A request without a body.
	 * @param method the method, upper case
	 * @param path the path as it was sent, without the query
	 * @param parameters the query parameters, decoded
	 * @param headers the headers
	 * @param receivedAt when it was received
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
		return received().isWatch();
	}

	/**
	 * Whether it is a list of a collection; each page counts.
	 * @return whether it is a list
	 */
	public boolean isList() {
		return received().isList();
	}

	/**
	 * Whether it is about a collection or an object in it.
	 * @param plural the plural of the collection
	 * @return whether the plural is in its place in the path
	 */
	public boolean isAbout(String plural) {
		return received().isAbout(plural);
	}

	/**
	 * Whether it creates, changes or deletes something, or would without {@code dryRun}.
	 * @return whether it is a write
	 */
	public boolean isWrite() {
		return received().isWrite();
	}

	/**
	 * Under which name the server keeps what it writes: the parameter
	 * {@code fieldManager}, or else what stands before the first slash of the header
	 * {@code User-Agent}.
	 * @return the name of the field manager, {@code null} when it writes nothing
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
