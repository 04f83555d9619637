package dev.reflector.test.internal.access;

import java.util.List;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.exchange.ServerExchange;
import io.netty.handler.codec.http.HttpHeaderNames;
import org.jspecify.annotations.Nullable;

/**
 * Refuses requests without an accepted token.
 */
public final class TokenGuard {

	private static final String SCHEME = "bearer ";

	private volatile @Nullable List<String> accepted;

	/**
	 * Makes a guard.
	 * @param accepted the accepted tokens, or {@code null} to require none
	 */
	TokenGuard(@Nullable List<String> accepted) {
		this.accepted = accepted;
	}

	public void accept(@Nullable List<String> tokens) {
		this.accepted = tokens;
	}

	/**
	 * Returns the first of the accepted tokens.
	 * @return a token, or {@code null} if there is none or none is required
	 */
	@Nullable String first() {
		List<String> tokens = this.accepted;
		return (tokens != null && !tokens.isEmpty()) ? tokens.get(0) : null;
	}

	/**
	 * Checks a request.
	 * @param exchange the request
	 * @throws ApiFailure 401 if the request has no accepted token
	 */
	public void check(ServerExchange exchange) {
		List<String> tokens = this.accepted;
		if (tokens == null) {
			return;
		}
		// the header is not read from the recorded request, which contains no credentials
		String header = exchange.request().requestHeaders().get(HttpHeaderNames.AUTHORIZATION, "");
		boolean bearer = header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
		if (!bearer || !tokens.contains(header.substring(SCHEME.length()).strip())) {
			throw ApiFailure.unauthorized();
		}
	}

}
