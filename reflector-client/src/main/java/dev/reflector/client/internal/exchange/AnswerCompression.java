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
 * Asks for compressed answers, and takes the compression off them again. The HTTP
 * libraries are kept from doing so: what they do to a stream, they do for answers that
 * have an end (W-64).
 *
 * @param wanted which answers are to be compressed
 * @param allowance how many bytes any answer may have, however few they were before
 */
public record AnswerCompression(Compression wanted, long allowance) {

	private static final String GZIP = "gzip";

	/**
	 * The header {@code Accept-Encoding} of a request.
	 * @param request the request
	 * @return its value
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
	 * Whether the body of an answer is in a form that was asked for.
	 * @param request the request
	 * @param headers the headers of the answer
	 * @return whether it can be read
	 */
	boolean accepts(ApiRequest request, HttpHeaders headers) {
		String encoding = headers.getFirst(HttpHeaders.CONTENT_ENCODING);
		return encoding == null || encoding.equalsIgnoreCase("identity") || isGzip(request, headers);
	}

	private boolean isGzip(ApiRequest request, HttpHeaders headers) {
		return asks(request) && GZIP.equalsIgnoreCase(headers.getFirst(HttpHeaders.CONTENT_ENCODING));
	}

	/**
	 * What takes the compression off the body of an answer.
	 * @param request the request
	 * @param headers the headers of the answer
	 * @return makes it anew for each reading of the body; it fails when the bytes are
	 * damaged, or break off within an answer to anything but a watch
	 */
	Supplier<Unpacking> unpacking(ApiRequest request, HttpHeaders headers) {
		if (!isGzip(request, headers)) {
			return () -> Unpacking.NONE;
		}
		// W-32: a stream may end anywhere
		boolean stream = request.verb().equals("watch");
		return () -> new Gunzip(this.allowance, stream);
	}

	/**
	 * A short body as it was before it was compressed, as far as that can be told.
	 * @param request the request
	 * @param headers the headers of the answer
	 * @param body the body, or its beginning
	 * @param limit how much is wanted at most
	 * @return the bytes as they were
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
			// what came before says more than nothing
			return inflated.toByteArray();
		}
		return inflated.toByteArray();
	}

}
