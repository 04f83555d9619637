package dev.reflector.test;

import java.time.Instant;
import java.util.Map;

import dev.reflector.test.internal.exchange.ReceivedRequest;
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
 * @since 0.1.0
 */
public record RecordedRequest(String method, String path, Map<String, String> parameters, Map<String, String> headers,
		Instant receivedAt) {

	static RecordedRequest of(ReceivedRequest request) {
		return new RecordedRequest(request.method(), request.path(), request.parameters(), request.headers(),
				request.receivedAt());
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

	@Override
	public String toString() {
		return received().toString();
	}

}
