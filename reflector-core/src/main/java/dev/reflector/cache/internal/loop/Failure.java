package dev.reflector.cache.internal.loop;

import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;

import javax.net.ssl.SSLException;

import dev.reflector.PrintableText;
import dev.reflector.cache.handler.RequestFailure;
import dev.reflector.cache.source.ApiException;
import dev.reflector.cache.source.ConnectionException;
import dev.reflector.cache.source.CredentialsException;
import dev.reflector.cache.source.JvmFailureException;
import dev.reflector.cache.source.Status;
import org.jspecify.annotations.Nullable;

/**
 * A failed request or an error frame, classified by types and codes, never by text.
 *
 * @param status the status in the server's answer, or {@code null} if there was no answer
 * @param retryAfter how long the server asks to wait, at most {@link #MAX_RETRY_AFTER}
 * @param transport whether the request failed below HTTP, so that the server may not have
 * received the request
 * @param reason the machine-readable reason, from a small set
 * @param message a human-readable line that says what happened
 * @param passing whether a 401 or 403 is expected to pass soon (see
 * {@link AuthorizationGracePeriod})
 */
public record Failure(@Nullable Status status, Duration retryAfter, boolean transport, String reason, String message,
		boolean passing) {

	/** The longest accepted {@code Retry-After}; a longer one is cut to this value. */
	public static final Duration MAX_RETRY_AFTER = Duration.ofMinutes(10);

	private static final int MAX_REASON = 100;

	private static final String CONNECTION_REFUSED = "ConnectionRefused";

	private static final String UNKNOWN_HOST = "UnknownHost";

	private static final String TLS_FAILURE = "TlsFailure";

	private static final String TIMEOUT = "Timeout";

	private static final String CONNECTION_LOST = "ConnectionLost";

	/** The reason of a {@link dev.reflector.cache.source.TypeNotServedException}. */
	private static final String TYPE_NOT_SERVED = "TypeNotServed";

	/** The reason of a {@link dev.reflector.cache.source.WatchNotSupportedException}. */
	private static final String WATCH_NOT_SUPPORTED = "WatchNotSupported";

	/** The reasons of a {@link LimitExceededException}. */
	private static final Set<String> LIMITS = Set.of(MirrorSize.TOO_MANY, MirrorSize.TOO_LARGE);

	/**
	 * The reasons of those transport failures after which the request may have reached
	 * the server.
	 */
	private static final Set<String> UNANSWERED = Set.of(TIMEOUT, CONNECTION_LOST, TLS_FAILURE);

	Failure(@Nullable Status status, Duration retryAfter, boolean transport, String reason, String message) {
		this(status, retryAfter, transport, reason, message, false);
	}

	/** Returns the part of this failure that observers receive. */
	RequestFailure observed() {
		return new RequestFailure(this.status, this.reason, this.message, this.passing);
	}

	/** Returns a copy of this failure that is marked as expected to pass soon. */
	Failure asPassing() {
		return new Failure(this.status, this.retryAfter, this.transport, this.reason, this.message, true);
	}

	public static Failure of(Throwable thrown) {
		Throwable error = (thrown instanceof JvmFailureException && thrown.getCause() != null) ? thrown.getCause()
				: thrown;
		LimitExceededException limit = find(error, LimitExceededException.class);
		if (limit != null) {
			return limit.failure();
		}
		ApiException answered = find(error, ApiException.class);
		if (answered != null) {
			return new Failure(answered.status(), bounded(answered.retryAfter()), false, reason(answered.status()),
					oneLine(answered.getMessage()));
		}
		Throwable cause = transportCause(error);
		String text = oneLine((cause != null) ? cause.getMessage() : error.getMessage());
		String name = ((cause != null) ? cause : error).getClass().getSimpleName();
		return new Failure(null, Duration.ZERO, cause != null, reason(cause, name), text.isEmpty() ? name : text);
	}

	/** Creates the failure of a request whose result exceeds a limit of the mirror. */
	static Failure tooMuch(String reason, String message) {
		return new Failure(null, Duration.ZERO, false, reason, message);
	}

	public static Failure of(Status status) {
		return new Failure(status, bounded(Duration.ofSeconds(status.retryAfterSeconds())), false, reason(status),
				oneLine(status.message().isEmpty() ? status.toString() : status.message()));
	}

	private static @Nullable Throwable transportCause(Throwable error) {
		for (Class<? extends Throwable> type : List.of(CredentialsException.class, ConnectionException.class,
				ConnectException.class, UnknownHostException.class, SSLException.class, TimeoutException.class,
				IOException.class)) {
			Throwable cause = find(error, type);
			if (cause != null) {
				return cause;
			}
		}
		return null;
	}

	private static String reason(@Nullable Throwable cause, String otherwise) {
		if (cause instanceof CredentialsException) {
			return "Credentials";
		}
		if (cause instanceof ConnectionException explained) {
			return explained.reason();
		}
		if (cause instanceof ConnectException) {
			return CONNECTION_REFUSED;
		}
		if (cause instanceof UnknownHostException) {
			return UNKNOWN_HOST;
		}
		if (cause instanceof SSLException) {
			return TLS_FAILURE;
		}
		if (cause instanceof TimeoutException) {
			return TIMEOUT;
		}
		return (cause != null) ? CONNECTION_LOST : otherwise;
	}

	private static <X extends Throwable> @Nullable X find(Throwable error, Class<X> type) {
		int depth = 0;
		for (Throwable current = error; current != null && depth < 20; current = current.getCause(), depth++) {
			if (type.isInstance(current)) {
				return type.cast(current);
			}
		}
		return null;
	}

	private static String reason(Status status) {
		return PrintableText.of(status.reason(), MAX_REASON);
	}

	private static Duration bounded(Duration retryAfter) {
		return (retryAfter.compareTo(MAX_RETRY_AFTER) < 0) ? retryAfter : MAX_RETRY_AFTER;
	}

	private static String oneLine(@Nullable String text) {
		if (text == null) {
			return "";
		}
		return PrintableText.of(text.replaceAll("\\s+", " ").strip());
	}

	int code() {
		return (this.status != null) ? this.status.code() : 0;
	}

	public boolean expired() {
		return this.status != null && this.status.isExpired();
	}

	/**
	 * Whether the continue token of a list has expired, because reading the list took too
	 * long (W-20).
	 */
	boolean expiredToken() {
		return this.status != null && "Expired".equals(this.status.reason());
	}

	/**
	 * Whether the server cannot list at the requested version, because the version has
	 * expired or is too large.
	 */
	boolean versionUnavailable() {
		return this.status != null && (this.status.isExpired() || this.status.isTooLargeResourceVersion());
	}

	/**
	 * Whether the server has not reached the requested version: it lags behind, or was
	 * restored to an older state.
	 */
	boolean versionTooLarge() {
		return this.status != null && this.status.isTooLargeResourceVersion();
	}

	/**
	 * Whether the same request may succeed after a delay. In client-go, only
	 * refused connections and 429 count here. In this library, any failure to reach the
	 * server and any answer that asks the client to wait count as well, because they do
	 * not mean that the version has expired.
	 */
	boolean retriable() {
		if (this.status == null) {
			return this.transport;
		}
		return this.passing || this.status.isTooManyRequests()
				|| (this.status.code() >= 500 && !this.retryAfter.isZero() && !this.status.isTooLargeResourceVersion());
	}

	/** Whether the server asks to send the same request again after some time. */
	boolean asksToWait() {
		return this.status != null && !this.retryAfter.isZero() && retriable();
	}

	/**
	 * Whether the result of the request exceeds a limit of the mirror. Another kind of
	 * request would fail in the same way.
	 */
	boolean tooMuch() {
		return this.status == null && !this.transport && LIMITS.contains(this.reason);
	}

	/** Whether the bytes of the watch are malformed (W-32). */
	boolean malformed() {
		return this.status != null && this.status.isUndecodable();
	}

	/**
	 * Whether the request may have reached the server, but no complete answer has
	 * arrived.
	 */
	boolean unanswered() {
		return this.transport && UNANSWERED.contains(this.reason);
	}

	/** Whether the server refused the connection, and so did not receive the request. */
	boolean connectionRefused() {
		return this.transport && this.reason.equals(CONNECTION_REFUSED);
	}

	/**
	 * Whether the server does not accept the credentials, or the credentials do not allow
	 * the request.
	 */
	boolean unauthorized() {
		return code() == 401 || code() == 403;
	}

	/**
	 * Whether the server refuses the request, and is expected to refuse it for a while
	 * (E-21).
	 */
	boolean refusal() {
		return !this.passing && (unauthorized() || code() == 404);
	}

	/** Whether the server does not serve the type (E-21). */
	boolean typeNotServed() {
		return code() == 404 && this.reason.equals(TYPE_NOT_SERVED);
	}

	/** Whether the server can list the type, but cannot watch it. */
	boolean watchNotSupported() {
		return code() == 405 && this.reason.equals(WATCH_NOT_SUPPORTED);
	}

	/** Whether the server does not understand a streamed list (W-07). */
	boolean refusesStreaming() {
		return switch (code()) {
			case 400, 405, 406, 415, 422 -> true;
			default -> false;
		};
	}

	@Override
	public String toString() {
		if (this.status != null && !this.message.equals(oneLine(this.status.message()))) {
			// the message comes from the exception, and is complete without code and
			// reason
			return this.message;
		}
		String what = ((code() != 0) ? code() + " " + this.reason : this.reason).strip();
		return what.isEmpty() ? this.message : what + ": " + this.message;
	}

}
