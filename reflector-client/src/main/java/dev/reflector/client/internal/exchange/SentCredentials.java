package dev.reflector.client.internal.exchange;

import dev.reflector.client.credentials.SslSource;
import dev.reflector.client.credentials.TokenSource;

/**
 * The sources of a request's credentials. If the server rejects the credentials, the
 * message names these sources.
 *
 * @param source the source of tokens
 * @param token whether the request had a token
 * @param ssl the source of client certificates
 * @param certificate whether the request had a client certificate
 */
record SentCredentials(TokenSource source, boolean token, SslSource ssl, boolean certificate) {

	/** Returns the explanation of a 401, with advice. */
	String rejected() {
		if (!this.token && !this.certificate) {
			return "no credentials were sent: set 'reflector.api-server.token' or 'reflector.api-server.token-file', "
					+ "or name a kubeconfig that has some with 'reflector.api-server.kubeconfig'; in code, give "
					+ "the ApiServer a TokenSource";
		}
		String own = this.certificate ? "the client certificate (" + this.ssl + ")" : "";
		String sent = this.token ? "the " + name() + (this.certificate ? " or " : "") : "";
		return "the server rejected " + sent + own + ": check the credentials";
	}

	/**
	 * Returns the name of the token source. A source of the application may have no name,
	 * and is called {@code token}.
	 */
	private String name() {
		String name = this.source.toString();
		return name.startsWith(this.source.getClass().getName() + "@") ? "token" : name;
	}

}
