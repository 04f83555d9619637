package dev.reflector.client.credentials;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * Where an API server is and how to talk to it. Its text form never shows secrets.
 *
 * @param url absolute {@code http} or {@code https} URL; a path in it is put in front of
 * the path of every request
 * @param ssl where trust and client certificate come from
 * @param token where the token to send comes from
 * @param impersonation whom to act as
 * @param route how connections are made
 * @param origin where this was found, for one line of log, such as
 * {@code kubeconfig /home/x/.kube/config, context dev}
 * @since 0.1.0
 */
public record ApiServer(URI url, SslSource ssl, TokenSource token, Impersonation impersonation, Route route,
		String origin) {

	/**
	 * Checks the URL.
	 */
	public ApiServer {
		boolean http = "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
		// the URL stands in logs and exceptions: what may be a password is not repeated
		if (!http || url.getHost() == null || url.getRawUserInfo() != null || url.getRawQuery() != null
				|| url.getRawFragment() != null) {
			throw new IllegalArgumentException("the URL of the API server (" + origin + ") must be an absolute http or "
					+ "https URL without user, query and fragment, such as https://127.0.0.1:6443");
		}
	}

	/**
	 * An API server that is connected to directly, as oneself, and with trust that never
	 * changes.
	 * @param url absolute {@code http} or {@code https} URL
	 * @param sslBundle trust and client certificate, or {@code null} for the defaults of
	 * the JVM
	 * @param token where the token to send comes from
	 * @param origin where this was found
	 */
	public ApiServer(URI url, @Nullable SslBundle sslBundle, TokenSource token, String origin) {
		this(url, SslSource.of(sslBundle), token, Impersonation.NONE, Route.DIRECT, origin);
	}

	/**
	 * Trust and client certificate as they are now.
	 * @return the bundle, or {@code null} for the defaults of the JVM
	 */
	public @Nullable SslBundle sslBundle() {
		return this.ssl.bundle();
	}

	/**
	 * The same server with other trust and client certificates.
	 * @param ssl where they come from
	 * @return the server
	 */
	public ApiServer withSsl(SslSource ssl) {
		return new ApiServer(this.url, ssl, this.token, this.impersonation, this.route, this.origin);
	}

	/**
	 * The same server with another token.
	 * @param token where it comes from
	 * @return the server
	 */
	public ApiServer withToken(TokenSource token) {
		return new ApiServer(this.url, this.ssl, token, this.impersonation, this.route, this.origin);
	}

	/**
	 * The same server, as somebody else.
	 * @param impersonation whom to act as
	 * @return the server
	 */
	public ApiServer withImpersonation(Impersonation impersonation) {
		return new ApiServer(this.url, this.ssl, this.token, impersonation, this.route, this.origin);
	}

	/**
	 * The same server, connected to otherwise.
	 * @param route how connections are made
	 * @return the server
	 */
	public ApiServer withRoute(Route route) {
		return new ApiServer(this.url, this.ssl, this.token, this.impersonation, route, this.origin);
	}

	/**
	 * The same server, described otherwise.
	 * @param origin where it was found
	 * @return the server
	 */
	public ApiServer withOrigin(String origin) {
		return new ApiServer(this.url, this.ssl, this.token, this.impersonation, this.route, origin);
	}

	@Override
	public String toString() {
		return this.url + " (" + this.origin + ")";
	}

}
