package dev.reflector.client.credentials;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Where the bearer token of requests comes from. Asked anew for every request, by any
 * thread.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TokenSource {

	/**
	 * The token. Called by {@link #obtain()} on a thread that may read files; may take
	 * its time only where that does not call it.
	 * @return the token, or {@code null} to send none
	 * @throws dev.reflector.cache.source.CredentialsException when there should be one
	 * but it cannot be had; the request is not sent then, and tried again later
	 */
	@Nullable String token();

	/**
	 * Gets the token for a request, without blocking the thread that subscribes.
	 * @return the token, or nothing to send none
	 */
	default Mono<String> obtain() {
		return Mono.fromSupplier(this::token);
	}

	/**
	 * Takes note that the server has rejected a request for its credentials. Called by a
	 * thread that may block, once for each request at most.
	 * @param rejected the token it was sent with, or {@code null} when there was none
	 * @return whether {@link #obtain()} leads to other credentials now: the request is
	 * then repeated once
	 */
	default boolean renew(@Nullable String rejected) {
		return false;
	}

	/**
	 * No token.
	 * @return the source
	 */
	static TokenSource none() {
		return () -> null;
	}

	/**
	 * A token that never changes.
	 * @param token the token
	 * @return the source
	 */
	static TokenSource of(String token) {
		return () -> token;
	}

	/**
	 * A file that holds the token and nothing else. It is read again when it has changed,
	 * and at least once a minute; while it cannot be read, the last token stays in use.
	 * @param file the file
	 * @return the source; it fails with an exception that names the file as long as no
	 * token could be read from it at all
	 */
	static TokenSource file(Path file) {
		return new FileTokenSource(file, System::nanoTime);
	}

}
