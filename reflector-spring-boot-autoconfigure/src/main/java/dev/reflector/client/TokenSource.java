package dev.reflector.client;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Where the bearer token of a request comes from. Asked for each request; an
 * implementation must be fast and safe for use by several threads.
 */
@FunctionalInterface
public interface TokenSource {

	/**
	 * The token to send now.
	 * @return the token, or {@code null} to send none
	 */
	@Nullable String token();

	/**
	 * A source without a token.
	 * @return the source
	 */
	static TokenSource none() {
		return () -> null;
	}

	/**
	 * A source of one token.
	 * @param token the token
	 * @return the source
	 */
	static TokenSource of(String token) {
		return () -> token;
	}

	/**
	 * A source that reads a file, and reads it again when it has changed and at least
	 * each minute. While the file cannot be read, the last token stays in use.
	 * @param file the file
	 * @return the source
	 */
	static TokenSource file(Path file) {
		return new TokenFile(file);
	}

}
