package dev.reflector.client;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * Where an API server is and how to talk to it.
 *
 * @param url absolute URL of the server, with a path when it stands behind a proxy
 * @param sslBundle what to trust and how to identify by certificate, or {@code null} for
 * what the JVM trusts
 * @param token bearer token of each request
 * @param origin where all this was found, for the log
 */
public record ApiServer(URI url, @Nullable SslBundle sslBundle, TokenSource token, String origin) {

	public ApiServer {
		String scheme = url.getScheme();
		if (!("http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme)) || url.getHost() == null) {
			throw new IllegalArgumentException(
					"'" + url + "' is no URL of an API server: it must be like https://host:6443");
		}
		if (url.getRawUserInfo() != null || url.getRawQuery() != null || url.getRawFragment() != null) {
			throw new IllegalArgumentException(
					"The URL of the API server at " + url.getHost() + " must not have a user, a query or a fragment");
		}
	}

	/**
	 * The server without anything secret.
	 * @return URL and origin
	 */
	@Override
	public String toString() {
		return this.url + " (from " + this.origin + ")";
	}

}
