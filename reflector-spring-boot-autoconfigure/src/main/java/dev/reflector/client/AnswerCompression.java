package dev.reflector.client;

import reactor.core.publisher.Flux;

import org.springframework.http.HttpHeaders;

/**
 * Asks for compressed answers, and takes the compression off them again. The HTTP
 * libraries are kept from doing so: what they do to a stream, they do for answers that
 * have an end (W-64).
 *
 * @param wanted which answers are to be compressed
 * @param allowance how many bytes any answer may have, however few they were before
 */
record AnswerCompression(Compression wanted, long allowance) {

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
	 * The body of an answer as it was before it was compressed.
	 * @param request the request
	 * @param headers the headers of the answer
	 * @param body the bytes as they arrive
	 * @return the bytes as they were; an error of its own when they are damaged, or break
	 * off within an answer to anything but a watch
	 */
	Flux<byte[]> inflated(ApiRequest request, HttpHeaders headers, Flux<byte[]> body) {
		if (!isGzip(request, headers)) {
			return body;
		}
		boolean stream = request.verb().equals("watch");
		return Flux.using(() -> new Gunzip(this.allowance), (gunzip) -> {
			Flux<byte[]> inflated = body.concatMapIterable(gunzip::inflate, 1);
			// W-32: a stream may end anywhere
			return stream ? inflated : inflated.concatWith(Flux.defer(() -> {
				gunzip.finish();
				return Flux.empty();
			}));
		}, Gunzip::close);
	}

}
