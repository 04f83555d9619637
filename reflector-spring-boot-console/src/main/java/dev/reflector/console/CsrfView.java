package dev.reflector.console;

import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.security.web.csrf.CsrfToken;

/**
 * The token of Spring Security against forged requests (CSRF), as it is sent to the web
 * page.
 *
 * @param header name of the header for the token
 * @param parameter name of the request parameter for the token
 * @param token the token
 */
record CsrfView(String header, String parameter, String token) {

	/** Where Spring Security keeps the token of a request to a servlet. */
	static final String SERVLET_ATTRIBUTE = "org.springframework.security.web.csrf.CsrfToken";

	/** Where Spring Security keeps the token of a WebFlux exchange. */
	static final String REACTIVE_ATTRIBUTE = "org.springframework.security.web.server.csrf.CsrfToken";

	/**
	 * Reads the token of a request.
	 * @param servlet the attribute of a servlet request, or {@code null}
	 * @param reactive the attribute of a WebFlux exchange, or {@code null}
	 * @return the token, empty if there is no Spring Security or it requires no token
	 */
	static Mono<CsrfView> of(@Nullable Object servlet, @Nullable Object reactive) {
		if (servlet != null) {
			return Mono.just(Servlet.view(servlet));
		}
		return (reactive instanceof Mono<?> token) ? token.map(Reactive::view) : Mono.empty();
	}

	/** Reads the token. This class is loaded only if there is a token. */
	private static final class Servlet {

		private static CsrfView view(Object attribute) {
			CsrfToken token = (CsrfToken) attribute;
			return new CsrfView(token.getHeaderName(), token.getParameterName(), token.getToken());
		}

	}

	/** Reads the token. This class is loaded only if there is a token. */
	private static final class Reactive {

		private static CsrfView view(Object attribute) {
			var token = (org.springframework.security.web.server.csrf.CsrfToken) attribute;
			return new CsrfView(token.getHeaderName(), token.getParameterName(), token.getToken());
		}

	}

}
