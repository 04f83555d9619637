package dev.reflector.client.credentials;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * An API server, and how to connect to it. Its {@code toString()} shows no secrets.
 *
 * @param url absolute {@code http} or {@code https} URL; the path of each request is
 * appended to it
 * @param ssl the source of the trusted authorities and the client certificate
 * @param token the source of the bearer token
 * @param impersonation the user to act as
 * @param route the proxy and the server name for connections
 * @param origin where this configuration comes from, for log messages, such as
 * {@code kubeconfig /home/x/.kube/config, context dev}
 * @param namespace the namespace of the configuration, or {@code null} for none
 * @since 0.1.0
 */
public record ApiServer(URI url, SslSource ssl, TokenSource token, Impersonation impersonation, Route route,
		String origin, @Nullable String namespace) {

	static final String STRANGE_HOST = "a host name that Java does not accept, although kubectl does";

	static final String STRANGE_HOST_REMEDY = "use letters, digits and hyphens, with a letter at the beginning of the "
			+ "last part, or the address";

	/** Creates an API server, and checks its URL. */
	public ApiServer {
		boolean http = "https".equalsIgnoreCase(url.getScheme()) || "http".equalsIgnoreCase(url.getScheme());
		// the messages do not quote the URL, which may contain a password
		if (http && isStrangeHost(url)) {
			throw new IllegalArgumentException(
					"the URL of the API server (" + origin + ") has " + STRANGE_HOST + "; " + STRANGE_HOST_REMEDY);
		}
		if (!http || url.getHost() == null || url.getRawUserInfo() != null || url.getRawQuery() != null
				|| url.getRawFragment() != null) {
			throw new IllegalArgumentException("the URL of the API server (" + origin + ") must be an absolute http or "
					+ "https URL without user, query and fragment, such as https://127.0.0.1:6443");
		}
	}

	/**
	 * Returns whether a URL has a host name that Java does not accept, such as a name
	 * with an underscore.
	 */
	static boolean isStrangeHost(URI url) {
		String authority = url.getRawAuthority();
		return url.getHost() == null && authority != null && authority.indexOf('@') < 0 && !authority.startsWith(":");
	}

	/**
	 * Creates an API server without a namespace.
	 * @param url absolute {@code http} or {@code https} URL; the path of each request is
	 * appended to it
	 * @param ssl the source of the trusted authorities and the client certificate
	 * @param token the source of the bearer token
	 * @param impersonation the user to act as
	 * @param route the proxy and the server name for connections
	 * @param origin where this configuration comes from, for log messages
	 */
	public ApiServer(URI url, SslSource ssl, TokenSource token, Impersonation impersonation, Route route,
			String origin) {
		this(url, ssl, token, impersonation, route, origin, null);
	}

	/**
	 * Creates an API server without proxy and impersonation, and with trusted authorities
	 * and a client certificate that never change.
	 * @param url absolute {@code http} or {@code https} URL
	 * @param sslBundle the trusted authorities and the client certificate, or
	 * {@code null} for the defaults of the JVM
	 * @param token the source of the bearer token
	 * @param origin where this configuration comes from
	 */
	public ApiServer(URI url, @Nullable SslBundle sslBundle, TokenSource token, String origin) {
		this(url, SslSource.of(sslBundle), token, Impersonation.NONE, Route.DIRECT, origin);
	}

	/**
	 * Returns a copy of this server with another source of trusted authorities and client
	 * certificate.
	 * @param ssl the source of the trusted authorities and the client certificate
	 * @return the server
	 */
	public ApiServer withSsl(SslSource ssl) {
		return new ApiServer(this.url, ssl, this.token, this.impersonation, this.route, this.origin, this.namespace);
	}

	/**
	 * Returns a copy of this server with another token. If the source of the client
	 * certificate is a kubeconfig, the copy has no client certificate, because a server
	 * would prefer the user of the certificate to the user of the token. To send both,
	 * add the source again with {@link #withSsl}.
	 * @param token the source of the token
	 * @return the server
	 */
	public ApiServer withToken(TokenSource token) {
		SslSource ssl = (this.ssl instanceof PemSslSource pem) ? pem.withoutClientCertificate() : this.ssl;
		return new ApiServer(this.url, ssl, token, this.impersonation, this.route, this.origin, this.namespace);
	}

	/**
	 * Returns a copy of this server with another impersonation.
	 * @param impersonation the user to act as
	 * @return the server
	 */
	public ApiServer withImpersonation(Impersonation impersonation) {
		return new ApiServer(this.url, this.ssl, this.token, impersonation, this.route, this.origin, this.namespace);
	}

	/**
	 * Returns a copy of this server with another origin.
	 * @param origin where the configuration comes from
	 * @return the server
	 */
	public ApiServer withOrigin(String origin) {
		return new ApiServer(this.url, this.ssl, this.token, this.impersonation, this.route, origin, this.namespace);
	}

	/**
	 * Returns a copy of this server with another namespace.
	 * @param namespace the namespace of the configuration, or {@code null} for none
	 * @return the server
	 */
	public ApiServer withNamespace(@Nullable String namespace) {
		return new ApiServer(this.url, this.ssl, this.token, this.impersonation, this.route, this.origin, namespace);
	}

	@Override
	public String toString() {
		return this.url + " (" + this.origin + ")";
	}

}
