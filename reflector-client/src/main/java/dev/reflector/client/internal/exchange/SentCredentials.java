package dev.reflector.client.internal.exchange;

import dev.reflector.client.credentials.SslSource;
import dev.reflector.client.credentials.TokenSource;

/**
 * The credentials that a request was sent with, for the message when the server does not
 * accept them.
 *
 * @param source where tokens come from
 * @param token whether there was one
 * @param ssl where client certificates come from
 * @param certificate whether there was one
 */
record SentCredentials(TokenSource source, boolean token, SslSource ssl, boolean certificate) {

	/** What a 401 means, and what to do. */
	String rejected() {
		if (!this.token && !this.certificate) {
			return "no credentials were sent: set 'reflector.api-server.token' or 'reflector.api-server.token-file', "
					+ "or name a kubeconfig that has some with 'reflector.api-server.kubeconfig'";
		}
		String own = this.certificate ? "the client certificate (" + this.ssl + ")" : "";
		String sent = this.token ? "the " + name() + (this.certificate ? " or " : "") : "";
		return "the server rejected " + sent + own + ": check the credentials";
	}

	/** A source of the application may have no name. */
	private String name() {
		String name = this.source.toString();
		return name.startsWith(this.source.getClass().getName() + "@") ? "token" : name;
	}

}
