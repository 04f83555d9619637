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
 * A failed request or an error frame, classified. Decided by types and codes, never by
 * text.
 *
 * @param status what the server answered, or {@code null} when it did not
 * @param retryAfter how long the server asks to wait, bounded
 * @param transport whether the request failed below HTTP: the server may never have seen
 * it
 * @param reason machine-readable reason from a small set
 * @param message what happened, one human-readable line
 * @param passing whether a 401 or 403 is expected to pass soon (see
 * {@link AuthorizationGracePeriod})
 */
public record Failure(@Nullable Status status, Duration retryAfter, boolean transport, String reason, String message,
		boolean passing) {

	/** A longer {@code Retry-After} is cut to this. */
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

	/** After these the server may have been reached; all others say that it was not. */
	private static final Set<String> UNANSWERED = Set.of(TIMEOUT, CONNECTION_LOST, TLS_FAILURE);

	Failure(@Nullable Status status, Duration retryAfter, boolean transport, String reason, String message) {
		this(status, retryAfter, transport, reason, message, false);
	}

	/** What an observer gets of it. */
	RequestFailure observed() {
		return new RequestFailure(this.status, this.reason, this.message, this.passing);
	}

	/** The same failure, which is expected to pass soon. */
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

	/** More has come than the mirror may hold. */
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

	/** W-20: the list was too slow for its continue token. */
	boolean expiredToken() {
		return this.status != null && "Expired".equals(this.status.reason());
	}

	/**
	 * the server cannot list at this version, because it is expired or too large.
	 */
	boolean versionUnavailable() {
		return this.status != null && (this.status.isExpired() || this.status.isTooLargeResourceVersion());
	}

	/** The server has not reached the version, or has gone back behind it. */
	boolean versionTooLarge() {
		return this.status != null && this.status.isTooLargeResourceVersion();
	}

	/**
	 * the same request may succeed after a delay. Goes beyond client-go,
	 * which knows only refused connections and 429 here: a server that was not reached,
	 * or that asks to wait, has said nothing about the version.
	 */
	boolean retriable() {
		if (this.status == null) {
			return this.transport;
		}
		return this.passing || this.status.isTooManyRequests()
				|| (this.status.code() >= 500 && !this.retryAfter.isZero() && !this.status.isTooLargeResourceVersion());
	}

	/**
	 * More has come than the mirror may hold, which another kind of request shows too.
	 */
	boolean tooMuch() {
		return this.status == null && !this.transport && LIMITS.contains(this.reason);
	}

	/** W-32: the bytes of the watch are malformed. */
	boolean malformed() {
		return this.status != null && this.status.isUndecodable();
	}

	/** The server was reached, as far as is known, but has not answered to the end. */
	boolean unanswered() {
		return this.transport && UNANSWERED.contains(this.reason);
	}

	/** failures after which client-go repeats the request without a new list. */
	boolean retriableInClientGo() {
		return (this.status == null) ? this.reason.equals(CONNECTION_REFUSED) : retriable();
	}

	/** The server did not take the connection, so it did not see the request. */
	boolean connectionRefused() {
		return this.transport && this.reason.equals(CONNECTION_REFUSED);
	}

	/** The credentials are not accepted, or do not allow the request. */
	boolean unauthorized() {
		return code() == 401 || code() == 403;
	}

	/** E-21: a repeated request will not help soon. */
	boolean refusal() {
		return !this.passing && (unauthorized() || code() == 404);
	}

	/** E-21: the server does not serve the type. */
	boolean typeNotServed() {
		return code() == 404 && this.reason.equals(TYPE_NOT_SERVED);
	}

	/** The server lists the type, and does not watch it. */
	boolean watchNotSupported() {
		return code() == 405 && this.reason.equals(WATCH_NOT_SUPPORTED);
	}

	/** The server does not understand a streamed list (W-07). */
	boolean refusesStreaming() {
		return switch (code()) {
			case 400, 405, 406, 415, 422 -> true;
			default -> false;
		};
	}

	@Override
	public String toString() {
		if (this.status != null && !this.message.equals(oneLine(this.status.message()))) {
			// the message of the exception is complete
			return this.message;
		}
		String what = ((code() != 0) ? code() + " " + this.reason : this.reason).strip();
		return what.isEmpty() ? this.message : what + ": " + this.message;
	}

}
