package dev.reflector.client.credentials;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * The source of the bearer token of requests. It is called for every request, on any
 * thread. Log messages contain its {@code toString()}, which should describe the source,
 * such as {@code token file /token}, must not show secrets, and must not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface TokenSource {

	/**
	 * Returns the token. Called by the default {@link #obtain()}, on a thread that may
	 * read files but should not wait for anything else.
	 * @return the token, or {@code null} to send no token
	 * @throws dev.reflector.cache.source.CredentialsException if the token is not
	 * available; the request is then not sent, and is tried again later
	 */
	@Nullable String token();

	/**
	 * Returns the token for a request, without blocking the subscribing thread.
	 * @return the token; an empty {@code Mono} to send no token
	 */
	default Mono<String> obtain() {
		return Mono.fromSupplier(this::token);
	}

	/**
	 * Called when the server has rejected the credentials of a request. Called on a
	 * thread that may block, at most once for each request.
	 * @param rejected the token of the request, or {@code null} if it had no token
	 * @return whether {@link #obtain()} now returns other credentials; the request is
	 * then repeated once
	 */
	default boolean renew(@Nullable String rejected) {
		return false;
	}

	/**
	 * Returns the program that is run to get a token. An application may forbid such
	 * programs.
	 * @return the name or path of the program and where it is configured, for messages,
	 * or {@code null} if no program is run
	 */
	default @Nullable String program() {
		return null;
	}

	/**
	 * Returns a source without a token.
	 * @return the source
	 */
	static TokenSource none() {
		return FixedTokenSource.NONE;
	}

	/**
	 * Creates a source of a fixed token.
	 * @param token the token
	 * @return the source
	 */
	static TokenSource of(String token) {
		return of(token, "the connection details");
	}

	/**
	 * Creates a source of a fixed token.
	 * @param token the token
	 * @param origin where the token comes from, for messages, such as the name of a
	 * property
	 * @return the source
	 */
	static TokenSource of(String token, String origin) {
		return new FixedTokenSource(token, origin);
	}

	/**
	 * Creates a source of the token in a file. The file is read again when it has
	 * changed, and at least once a minute. While the file cannot be read, the last token
	 * stays in use.
	 * @param file the file
	 * @return the source; until the file has been read once, a failure to read it throws
	 * an exception that names the file
	 */
	static TokenSource file(Path file) {
		return new FileTokenSource(file, System::nanoTime);
	}

}
