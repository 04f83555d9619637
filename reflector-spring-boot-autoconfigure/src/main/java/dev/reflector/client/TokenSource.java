package dev.reflector.client;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Where the bearer token of requests comes from. Asked anew for every request; must be
 * fast.
 */
@FunctionalInterface
public interface TokenSource {

	/**
	 * The token.
	 * @return the token, or {@code null} to send none
	 */
	@Nullable String token();

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
	 * @return the source; it throws an {@link IllegalStateException} that names the file
	 * as long as no token could be read from it at all
	 */
	static TokenSource file(Path file) {
		return new FileTokenSource(file, System::nanoTime);
	}

}
