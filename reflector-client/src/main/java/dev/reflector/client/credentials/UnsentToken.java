package dev.reflector.client.credentials;

import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends no token to a server without TLS, although the kubeconfig has one, as kubectl
 * does. Warns with the first request, so that nothing is said when another source takes
 * its place.
 */
final class UnsentToken implements TokenSource {

	private static final Logger logger = LoggerFactory.getLogger(UnsentToken.class);

	private final URI url;

	private final String credentials;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Creates the source.
	 * @param url where the server is
	 * @param credentials the fields that are not used, for the log
	 */
	UnsentToken(URI url, String credentials) {
		this.url = url;
		this.credentials = credentials;
	}

	@Override
	public @Nullable String token() {
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("Requests to {} carry no credentials, because they are not encrypted: like kubectl, this "
					+ "library uses {} only with https. Write https in 'server', or set 'reflector.api-server.token' or "
					+ "'reflector.api-server.token-file', which is sent over http as well", this.url, this.credentials);
		}
		return null;
	}

	@Override
	public String toString() {
		return "no token, because " + this.url + " is not encrypted";
	}

}
