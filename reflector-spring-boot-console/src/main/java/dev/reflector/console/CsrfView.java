package dev.reflector.console;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.security.web.csrf.CsrfToken;

/**
 * The token of Spring Security against forged requests, as the page gets it.
 *
 * @param header name of the header to send it in
 * @param parameter name of the parameter to send it in
 * @param token the token
 */
record CsrfView(String header, String parameter, String token) {

	/** Where Spring Security keeps the token of a request to a servlet. */
	static final String SERVLET_ATTRIBUTE = "org.springframework.security.web.csrf.CsrfToken";

	/** Where it keeps the token of an exchange. */
	static final String REACTIVE_ATTRIBUTE = "org.springframework.security.web.server.csrf.CsrfToken";

	/**
	 * Reads the token of a request.
	 * @param servlet the attribute of a request to a servlet, if there is one
	 * @param reactive the attribute of an exchange, if there is one
	 * @return the token, empty when Spring Security is not there or asks for none
	 */
	static Mono<CsrfView> of(@Nullable Object servlet, @Nullable Object reactive) {
		if (servlet != null) {
			return Mono.just(Servlet.view(servlet));
		}
		return (reactive instanceof Mono<?> token) ? token.map(Reactive::view) : Mono.empty();
	}

	/** Loaded only when there is a token. */
	private static final class Servlet {

		private static CsrfView view(Object attribute) {
			CsrfToken token = (CsrfToken) attribute;
			return new CsrfView(token.getHeaderName(), token.getParameterName(), token.getToken());
		}

	}

	/** Loaded only when there is a token. */
	private static final class Reactive {

		private static CsrfView view(Object attribute) {
			var token = (org.springframework.security.web.server.csrf.CsrfToken) attribute;
			return new CsrfView(token.getHeaderName(), token.getParameterName(), token.getToken());
		}

	}

}
