package dev.reflector.test.internal.access;

import java.util.List;

import dev.reflector.test.internal.api.ApiFailure;
import dev.reflector.test.internal.exchange.ServerExchange;
import io.netty.handler.codec.http.HttpHeaderNames;
import org.jspecify.annotations.Nullable;

/**
 * Turns away requests without a token that is accepted.
 */
public final class TokenGuard {

	private static final String SCHEME = "bearer ";

	private volatile @Nullable List<String> accepted;

	/**
	 * Makes a guard.
	 * @param accepted the tokens, {@code null} to ask for none
	 */
	TokenGuard(@Nullable List<String> accepted) {
		this.accepted = accepted;
	}

	public void accept(@Nullable List<String> tokens) {
		this.accepted = tokens;
	}

	/**
	 * The first of the tokens.
	 * @return a token, {@code null} when there is none or none is asked for
	 */
	@Nullable String first() {
		List<String> tokens = this.accepted;
		return (tokens != null && !tokens.isEmpty()) ? tokens.get(0) : null;
	}

	/**
	 * Checks a request.
	 * @param exchange the request
	 * @throws ApiFailure 401 when it has no token that is accepted
	 */
	public void check(ServerExchange exchange) {
		List<String> tokens = this.accepted;
		if (tokens == null) {
			return;
		}
		// not from what is recorded, which holds no credentials
		String header = exchange.request().requestHeaders().get(HttpHeaderNames.AUTHORIZATION, "");
		boolean bearer = header.regionMatches(true, 0, SCHEME, 0, SCHEME.length());
		if (!bearer || !tokens.contains(header.substring(SCHEME.length()).strip())) {
			throw ApiFailure.unauthorized();
		}
	}

}
