package dev.reflector.client.internal.exchange;

import java.io.ByteArrayOutputStream;
import java.util.function.Supplier;

import dev.reflector.client.internal.frame.Chunk;
import dev.reflector.client.internal.frame.Gunzip;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.frame.Unpacking;
import dev.reflector.client.options.Compression;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpHeaders;

/**
 * Requests compressed responses, and decompresses them. Refuses responses with an
 * excessive compression ratio. The HTTP libraries must not decompress responses, because
 * they would hold back events of a watch until more data arrives (W-64).
 *
 * @param wanted the responses that the server is asked to compress
 * @param allowance how many decompressed bytes of a response are accepted even if its
 * compression ratio is excessive
 */
public record AnswerCompression(Compression wanted, long allowance) {

	private static final String GZIP = "gzip";

	/**
	 * Returns the value of the header {@code Accept-Encoding}.
	 * @param request the request
	 * @return the value
	 */
	String acceptEncoding(ApiRequest request) {
		return asks(request) ? GZIP : "identity";
	}

	private boolean asks(ApiRequest request) {
		return switch (request.verb()) {
			case "list" -> this.wanted != Compression.NONE;
			case "watch" -> this.wanted == Compression.ALL;
			default -> false;
		};
	}

	/**
	 * Returns whether the encoding of a response was requested.
	 * @param request the request
	 * @param headers the headers of the response
	 * @return {@code true} if the body can be read
	 */
	boolean accepts(ApiRequest request, HttpHeaders headers) {
		String encoding = headers.getFirst(HttpHeaders.CONTENT_ENCODING);
		return encoding == null || encoding.equalsIgnoreCase("identity") || isGzip(request, headers);
	}

	private boolean isGzip(ApiRequest request, HttpHeaders headers) {
		return asks(request) && GZIP.equalsIgnoreCase(headers.getFirst(HttpHeaders.CONTENT_ENCODING));
	}

	/**
	 * Returns the decompression of a response.
	 * @param request the request
	 * @param headers the headers of the response
	 * @return a supplier that creates a decompression for each subscriber
	 */
	Supplier<Unpacking> unpacking(ApiRequest request, HttpHeaders headers) {
		if (!isGzip(request, headers)) {
			return () -> Unpacking.NONE;
		}
		// W-32: a watch may end at any byte, but any other response must be complete
		boolean stream = request.verb().equals("watch");
		return () -> new Gunzip(this.allowance, stream);
	}

	/**
	 * Decompresses a short body. Stops at the first invalid byte.
	 * @param request the request
	 * @param headers the headers of the response
	 * @param body the body, or its beginning
	 * @param limit the largest number of bytes to return
	 * @return the decompressed bytes
	 */
	byte[] inflated(ApiRequest request, HttpHeaders headers, byte[] body, int limit) {
		if (!isGzip(request, headers)) {
			return body;
		}
		ByteArrayOutputStream inflated = new ByteArrayOutputStream();
		DataBuffer buffer = DefaultDataBufferFactory.sharedInstance.wrap(body);
		Chunk chunk = new Chunk();
		try (Gunzip gunzip = new Gunzip(this.allowance, true)) {
			boolean more = true;
			while (more && inflated.size() < limit) {
				more = !gunzip.fill(chunk, buffer);
				inflated.write(chunk.bytes, chunk.position,
						Math.min(chunk.end - chunk.position, limit - inflated.size()));
				chunk.position = chunk.end;
			}
		}
		catch (MalformedResponseException ex) {
			// the bytes before the invalid byte are still useful
			return inflated.toByteArray();
		}
		return inflated.toByteArray();
	}

}
