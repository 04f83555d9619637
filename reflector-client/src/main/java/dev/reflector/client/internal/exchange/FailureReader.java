package dev.reflector.client.internal.exchange;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.function.Supplier;

import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.Status;
import dev.reflector.client.internal.cbor.CborToJson;
import dev.reflector.client.internal.decode.StatusReader;
import dev.reflector.client.internal.frame.Frame;
import dev.reflector.client.internal.frame.MalformedResponseException;
import dev.reflector.client.internal.proto.ProtobufStatus;
import dev.reflector.client.options.ObjectFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpHeaders;

/**
 * Creates exceptions from responses that report a failure. The message of the exception
 * says what was requested, how the server responded, and what to do.
 */
final class FailureReader {

	/**
	 * The largest number of bytes of a body that are read. The status of a refused apply
	 * names each field twice, and may have several hundred fields.
	 */
	static final int MAX_BODY = 1024 * 1024;

	private static final int MAX_DEPTH = 100;

	// W-36: if a body is no status, its first bytes up to this number become the message
	private static final int MAX_TEXT = 2048;

	private final Supplier<Instant> now;

	FailureReader(Supplier<Instant> now) {
		this.now = now;
	}

	ApiException read(ApiRequest request, int code, HttpHeaders headers, byte[] body, Redaction redaction,
			SentCredentials sent) {
		ObjectFormat format = MediaTypes.format(headers);
		byte[] text = (format == ObjectFormat.CBOR) ? json(body)
				: (format == ObjectFormat.PROTOBUF) ? ProtobufStatus.json(body) : body;
		Status reported = StatusReader.read(text, 0, text.length);
		// a body that is no status is quoted only if it is a text, because it may be an
		// object, such as a Secret
		Status status = redaction.of((reported != null) ? completed(reported, code)
				: Status.ofHttp(code, isText(headers, body) ? text(body) : ""));
		Duration retryAfter = retryAfter(headers.getFirst(HttpHeaders.RETRY_AFTER));
		Duration details = Duration.ofSeconds(status.retryAfterSeconds());
		String hint = redaction.of(hint(request, code, reported != null, headers, sent));
		return new ApiException(message(request, code, status, hint), status,
				(retryAfter.compareTo(details) > 0) ? retryAfter : details);
	}

	/**
	 * Returns the JSON of a CBOR body. Empty if the CBOR is invalid, because the status
	 * code suffices.
	 */
	private static byte[] json(byte[] cbor) {
		try {
			Frame json = CborToJson.whole(new Frame(cbor, 0, cbor.length, cbor.length, false), MAX_DEPTH);
			return Arrays.copyOf(json.bytes(), json.length());
		}
		catch (MalformedResponseException ex) {
			return new byte[0];
		}
	}

	private static String text(byte[] body) {
		return new String(body, 0, Math.min(body.length, MAX_TEXT), StandardCharsets.UTF_8).strip();
	}

	/**
	 * Returns whether a body is a human-readable text, and no object, which may be a
	 * Secret.
	 */
	private static boolean isText(HttpHeaders headers, byte[] body) {
		String start = text(body);
		return MediaTypes.isText(headers) && !start.startsWith("{") && !start.startsWith("[");
	}

	private static Status completed(Status status, int code) {
		if (status.code() != 0 && !status.reason().isEmpty()) {
			return status;
		}
		return new Status((status.code() != 0) ? status.code() : code,
				status.reason().isEmpty() ? Status.ofHttp(code, "").reason() : status.reason(), status.message(),
				status.causes(), status.retryAfterSeconds(), status.hasDetails());
	}

	private Duration retryAfter(@Nullable String header) {
		if (header == null) {
			return Duration.ZERO;
		}
		String value = header.strip();
		if (!value.isEmpty() && value.length() <= 9
				&& value.chars().allMatch((digit) -> digit >= '0' && digit <= '9')) {
			return Duration.ofSeconds(Long.parseLong(value));
		}
		try {
			Instant date = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
			Duration wait = Duration.between(this.now.get(), date);
			return wait.isNegative() ? Duration.ZERO : wait;
		}
		catch (DateTimeParseException ex) {
			return Duration.ZERO;
		}
	}

	private static String message(ApiRequest request, int code, Status status, String hint) {
		StringBuilder message = new StringBuilder(256);
		message.append(request).append(" was answered with ").append(code).append(' ').append(status.reason());
		if (!status.message().isEmpty()) {
			message.append(": ").append(status.message());
		}
		if (!hint.isEmpty()) {
			message.append(" (").append(hint).append(')');
		}
		return message.toString();
	}

	private static String hint(ApiRequest request, int code, boolean reported, HttpHeaders headers,
			SentCredentials sent) {
		boolean discovery = request.resource().isEmpty();
		return switch (code) {
			case 400 -> (!reported && "http".equalsIgnoreCase(request.uri().getScheme()))
					? "if the server uses TLS, begin its URL with https" : "";
			case 401 -> sent.rejected();
			case 403 -> discovery ? "the credentials do not allow API discovery; declare the plural to do without it"
					: "the credentials lack the permission: verb '" + request.verb() + "' on resource '"
							+ request.resource() + "' " + request.scope();
			case 404 -> (discovery || (reported && !isOfCollection(request))) ? "" : "the server does not serve '"
					+ request.resource() + "' " + request.scope() + ": its CRD may not be installed";
			case 429 -> throttled(reported, headers);
			default -> (code >= 300 && code < 400) ? redirected(headers) : "";
		};
	}

	/**
	 * Returns whether the request is for a collection. For other requests, a 404 may mean
	 * that an object or a namespace is missing.
	 */
	private static boolean isOfCollection(ApiRequest request) {
		return request.verb().equals("list") || request.verb().equals("watch");
	}

	/**
	 * Explains a 429. A server with priority and fairness names the flow schema in every
	 * response. If the server throttles, the body is plain text. If the body is a
	 * {@code Status}, the server has refused the request for another reason, which the
	 * message of the status names (W-58).
	 */
	private static String throttled(boolean reported, HttpHeaders headers) {
		if (reported) {
			return "";
		}
		String flowSchema = headers.getFirst("X-Kubernetes-PF-FlowSchema-UID");
		return (flowSchema != null && !flowSchema.isBlank())
				? "throttled by the flow schema with UID " + flowSchema.strip()
				: "the server, or a proxy in front of it, accepts no more requests now";
	}

	/**
	 * Explains a redirect. Names only its host, because the rest of the address may
	 * contain secrets.
	 */
	private static String redirected(HttpHeaders headers) {
		String to = "";
		try {
			URI location = headers.getLocation();
			if (location != null) {
				to = (location.getHost() != null) ? " to " + location.getScheme() + "://" + location.getHost()
						+ ((location.getPort() >= 0) ? ":" + location.getPort() : "") : " to another path";
			}
		}
		catch (IllegalArgumentException ex) {
			// the header is not an address
		}
		return "it redirects" + to
				+ ", which is not followed because it would get the credentials: correct the address "
				+ "of the API server, or the proxy in front of it";
	}

}
