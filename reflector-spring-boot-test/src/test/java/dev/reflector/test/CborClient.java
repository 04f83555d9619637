package dev.reflector.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.zip.GZIPInputStream;

import tools.jackson.core.JsonParser;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BinaryNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.cbor.CBORMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client that reads CBOR with Jackson and knows nothing of the server's code.
 */
final class CborClient {

	static final String CBOR = "application/cbor";

	private static final CBORMapper MAPPER = new CBORMapper();

	private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final EmbeddedApiServer server;

	CborClient(EmbeddedApiServer server) {
		this.server = server;
	}

	Answer get(String path) {
		return get(path, CBOR);
	}

	Answer get(String path, String accept) {
		return send(request(path, accept).build());
	}

	Answer send(String method, String path, String contentType, byte[] body) {
		return send(request(path, CBOR).method(method, BodyPublishers.ofByteArray(body))
			.header("Content-Type", contentType)
			.build());
	}

	HttpRequest.Builder request(String path, String accept) {
		return HttpRequest.newBuilder(URI.create(this.server.url() + path)).header("Accept", accept);
	}

	Answer send(HttpRequest request) {
		try {
			return new Answer(this.http.send(request, isWatch(request) ? this::toTheEnd : BodyHandlers.ofByteArray()));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static boolean isWatch(HttpRequest request) {
		String query = request.uri().getQuery();
		return query != null && query.contains("watch=true");
	}

	/** A watch does not end by itself: the server ends it when it has sent something. */
	private BodySubscriber<byte[]> toTheEnd(HttpResponse.ResponseInfo head) {
		return new EndedWatch(BodySubscribers.ofByteArray(), this.server::closeWatches);
	}

	static byte[] encoded(Object value) {
		return MAPPER.writeValueAsBytes(value);
	}

	/**
	 * Ends a watch when its first part has come. The events that existed at its beginning
	 * are in that part.
	 *
	 * @param whole gathers what comes
	 * @param end has the watch ended
	 */
	private record EndedWatch(BodySubscriber<byte[]> whole, Runnable end) implements BodySubscriber<byte[]> {

		@Override
		public CompletionStage<byte[]> getBody() {
			return this.whole.getBody();
		}

		@Override
		public void onSubscribe(Flow.Subscription subscription) {
			this.whole.onSubscribe(subscription);
		}

		@Override
		public void onNext(List<ByteBuffer> bytes) {
			this.whole.onNext(bytes);
			this.end.run();
		}

		@Override
		public void onError(Throwable failure) {
			this.whole.onError(failure);
		}

		@Override
		public void onComplete() {
			this.whole.onComplete();
		}

	}

	/**
	 * A whole answer. That of a watch has the events that existed before.
	 *
	 * @param http the answer
	 */
	record Answer(HttpResponse<byte[]> http) {

		int status() {
			return this.http.statusCode();
		}

		String header(String name) {
			return this.http.headers().firstValue(name).orElse("");
		}

		String contentType() {
			return header("Content-Type");
		}

		byte[] bytes() {
			if (!"gzip".equals(header("Content-Encoding"))) {
				return this.http.body();
			}
			try (InputStream body = new GZIPInputStream(new ByteArrayInputStream(this.http.body()))) {
				return body.readAllBytes();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		String text() {
			return new String(bytes(), StandardCharsets.UTF_8);
		}

		String hex() {
			return HexFormat.of().formatHex(bytes());
		}

		/**
		 * The body as one value.
		 * @return the value, in which byte strings are texts
		 */
		JsonNode value() {
			return decoded(bytes());
		}

		/**
		 * The body as a sequence.
		 * @return the bytes of each item
		 */
		List<byte[]> sequence() {
			byte[] bytes = bytes();
			List<byte[]> items = new ArrayList<>();
			try (JsonParser parser = MAPPER.createParser(bytes)) {
				int from = 0;
				while (parser.nextToken() != null) {
					parser.skipChildren();
					int to = (int) parser.currentLocation().getByteOffset();
					items.add(Arrays.copyOfRange(bytes, from, to));
					from = to;
				}
			}
			return items;
		}

		List<JsonNode> frames() {
			return sequence().stream().map(CborClient::decoded).toList();
		}

		/**
		 * The frames in short.
		 * @return type and name of each
		 */
		List<String> events() {
			return frames().stream()
				.map((frame) -> (frame.path("type").asString() + " " + frame.at("/object/metadata/name").asString(""))
					.strip())
				.toList();
		}

		List<String> names() {
			return value().path("items").valueStream().map((item) -> item.at("/metadata/name").asString()).toList();
		}

	}

	/**
	 * Reads the bytes of the server: a value with the tag of self-described CBOR and
	 * without any text string.
	 * @param bytes the bytes
	 * @return the value, in which byte strings are texts
	 */
	static JsonNode decoded(byte[] bytes) {
		assertThat(HexFormat.of().formatHex(bytes)).startsWith("d9d9f7");
		return withTexts(MAPPER.readTree(bytes));
	}

	private static JsonNode withTexts(JsonNode node) {
		assertThat(node.isString()).as("a text string: %s", node).isFalse();
		if (node instanceof BinaryNode binary) {
			return MAPPER.getNodeFactory().stringNode(new String(binary.binaryValue(), StandardCharsets.UTF_8));
		}
		if (node instanceof ObjectNode object) {
			object.forEachEntry((name, value) -> object.set(name, withTexts(value)));
		}
		else if (node instanceof ArrayNode array) {
			for (int i = 0; i < array.size(); i++) {
				array.set(i, withTexts(array.get(i)));
			}
		}
		return node;
	}

}
