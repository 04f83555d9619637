package dev.reflector.client.internal.schema;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.URI;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Stream;

import dev.reflector.client.internal.bind.DeclaredValue;
import dev.reflector.client.internal.exchange.Answer;
import dev.reflector.client.internal.exchange.ApiRequest;
import dev.reflector.client.internal.exchange.Exchange;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests the schemas of an API version, and reads the response on the calling thread
 * while it arrives.
 */
public final class SchemaRequest {

	/** The largest number of network buffers in the queue. */
	private static final int BUFFERS = 8;

	private final Exchange exchange;

	private final URI server;

	private final JsonMapper mapper;

	/**
	 * Creates the request.
	 * @param exchange makes requests
	 * @param server the URL of the server
	 * @param mapper a mapper for objects of the server
	 */
	public SchemaRequest(Exchange exchange, URI server, JsonMapper mapper) {
		this.exchange = exchange;
		this.server = server;
		this.mapper = mapper;
	}

	/**
	 * Sends the request, and waits for the response.
	 * @param apiVersion the API version
	 * @param kinds the kinds that will be compared
	 * @return a function that compares a kind with a type and returns the differences
	 */
	public BiFunction<String, Class<?>, List<String>> send(String apiVersion, Set<String> kinds) {
		// the index of the server is not needed: its path is the same, with a hash for
		// caches
		ApiRequest request = ApiRequest.get(this.server,
				"/openapi/v3/" + (apiVersion.contains("/") ? "apis/" : "api/") + apiVersion);
		try (Stream<byte[]> body = this.exchange.send(request, Answer::bytes).toStream(BUFFERS)) {
			ServerSchemas schemas = SchemaReader.read(stream(body.iterator()), apiVersion, kinds);
			return (kind, type) -> SchemaComparison.compare(DeclaredValue.of(this.mapper.readerFor(type), type),
					schemas, kind);
		}
	}

	private static InputStream stream(Iterator<byte[]> chunks) {
		return new SequenceInputStream(new Enumeration<>() {

			@Override
			public boolean hasMoreElements() {
				return chunks.hasNext();
			}

			@Override
			public InputStream nextElement() {
				return new ByteArrayInputStream(chunks.next());
			}

		});
	}

}
