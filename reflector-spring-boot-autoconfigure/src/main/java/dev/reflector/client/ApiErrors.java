package dev.reflector.client;

import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

import dev.reflector.cache.ApiException;
import dev.reflector.cache.Status;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.client.ClientResponse;

/**
 * Turns an answer that is no success into an {@link ApiException}: from a Status in JSON,
 * or from the code alone where the server (or a proxy) says it in its own words (W-36).
 */
final class ApiErrors {

	private static final int MAX_BODY = 64 * 1024;

	private static final int MAX_TEXT = 2048;

	private final ObjectReader statusReader;

	ApiErrors(JsonMapper mapper) {
		this.statusReader = mapper.readerFor(WireStatus.class);
	}

	Mono<ApiException> of(ClientResponse response, RequestDescription request) {
		return DataBufferUtils.join(DataBufferUtils.takeUntilByteCount(response.bodyToFlux(DataBuffer.class), MAX_BODY))
			.map(ApiErrors::bytes)
			.onErrorReturn(new byte[0])
			.defaultIfEmpty(new byte[0])
			.map((body) -> exception(response, request, body));
	}

	private static byte[] bytes(DataBuffer buffer) {
		byte[] bytes = new byte[buffer.readableByteCount()];
		buffer.read(bytes);
		DataBufferUtils.release(buffer);
		return bytes;
	}

	private ApiException exception(ClientResponse response, RequestDescription request, byte[] body) {
		int code = response.statusCode().value();
		HttpHeaders headers = response.headers().asHttpHeaders();
		Status status = status(code, body);
		Duration fromStatus = Duration.ofSeconds(status.retryAfterSeconds());
		Duration fromHeader = retryAfter(headers.getFirst(HttpHeaders.RETRY_AFTER), Instant.now());
		Duration retryAfter = (fromHeader.compareTo(fromStatus) > 0) ? fromHeader : fromStatus;
		return new ApiException(message(request, status, headers), status, retryAfter);
	}

	private Status status(int code, byte[] body) {
		try {
			if (body.length > 0 && body[0] == '{') {
				WireStatus status = this.statusReader.readValue(body);
				if (status != null && status.isStatus()) {
					return status.toStatus(code);
				}
			}
		}
		catch (JacksonException ex) {
			// not a Status: the code speaks
		}
		String text = new String(body, 0, Math.min(body.length, MAX_TEXT), java.nio.charset.StandardCharsets.UTF_8);
		return Status.ofHttp(code, text.strip());
	}

	/** W-35, E-22: whole seconds, or a date. */
	static Duration retryAfter(@Nullable String header, Instant now) {
		if (header == null || header.isBlank()) {
			return Duration.ZERO;
		}
		try {
			return Duration.ofSeconds(Math.max(0, Math.min(Long.parseLong(header.strip()), Integer.MAX_VALUE)));
		}
		catch (NumberFormatException ex) {
			return untilDate(header.strip(), now);
		}
	}

	private static Duration untilDate(String date, Instant now) {
		try {
			Duration until = Duration.between(now,
					ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
			return until.isNegative() ? Duration.ZERO : until;
		}
		catch (DateTimeParseException ex) {
			return Duration.ZERO;
		}
	}

	private static String message(RequestDescription request, Status status, HttpHeaders headers) {
		String hint = switch (status.code()) {
			case 401 -> ". The server does not accept the token or client certificate";
			case 403 -> ". Missing permission: " + request.permission();
			case 429 -> flowSchema(headers);
			default -> "";
		};
		return request + " answered " + status + hint;
	}

	private static String flowSchema(HttpHeaders headers) {
		String uid = headers.getFirst("X-Kubernetes-PF-FlowSchema-UID");
		return (uid != null) ? " (throttled by the flow schema with uid " + uid + ")" : "";
	}

}
