package dev.reflector.client;

import java.net.URI;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * Where an API server is and how to talk to it. Its text form never shows secrets.
 *
 * @param url absolute {@code http} or {@code https} URL; a path in it is put in front of
 * the path of every request
 * @param sslBundle trust and client certificate, or {@code null} for the defaults of the
 * JVM
 * @param token the token to send
 * @param origin where this was found, for one line of log, such as
 * {@code kubeconfig /home/x/.kube/config, context dev}
 */
public record ApiServer(URI url, @Nullable SslBundle sslBundle, TokenSource token, String origin) {

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

	@Override
	public String toString() {
		return this.url + " (" + this.origin + ")";
	}

}
