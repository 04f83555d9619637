package dev.reflector.client.credentials;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Where the bearer token of requests comes from. Called for every request, by any thread.
 * Messages contain its {@code toString()}, which should say what it is, such as
 * {@code token file /token}, and must not show secrets.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TokenSource {

	/**
	 * The token. Called by the default {@link #obtain()}, on a thread that may read files
	 * but should not wait for anything else.
	 * @return the token, or {@code null} to send none
	 * @throws dev.reflector.cache.source.CredentialsException when the token is not
	 * available; the request is then not sent, and tried again later
	 */
	@Nullable String token();

	/**
	 * The token for a request, without blocking the subscribing thread.
	 * @return the token; empty to send none
	 */
	default Mono<String> obtain() {
		return Mono.fromSupplier(this::token);
	}

	/**
	 * Called when the server has rejected the credentials of a request. Called by a
	 * thread that may block, at most once for each request.
	 * @param rejected the token of the request, or {@code null} when it had none
	 * @return whether {@link #obtain()} now returns other credentials; the request is
	 * then repeated once
	 */
	default boolean renew(@Nullable String rejected) {
		return false;
	}

	/**
	 * The program that is run for a token, which an application may not allow.
	 * @return its name or path and where it is configured, for messages, or {@code null}
	 * when no program is run
	 */
	default @Nullable String program() {
		return null;
	}

	/**
	 * No token.
	 * @return the source
	 */
	static TokenSource none() {
		return FixedTokenSource.NONE;
	}

	/**
	 * A fixed token.
	 * @param token the token
	 * @return the source
	 */
	static TokenSource of(String token) {
		return of(token, "the connection details");
	}

	/**
	 * A fixed token.
	 * @param token the token
	 * @param origin where it comes from, for messages, such as the name of a property
	 * @return the source
	 */
	static TokenSource of(String token, String origin) {
		return new FixedTokenSource(token, origin);
	}

	/**
	 * The token in a file. The file is read again when it has changed, and at least once
	 * a minute. While it cannot be read, the last token stays in use.
	 * @param file the file
	 * @return the source; it throws an exception that names the file until a token could
	 * be read
	 */
	static TokenSource file(Path file) {
		return new FileTokenSource(file, System::nanoTime);
	}

}
