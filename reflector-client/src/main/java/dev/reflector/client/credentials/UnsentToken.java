package dev.reflector.client.credentials;

import java.net.URI;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A source without a token, for a server without TLS. Like kubectl, it does not send the
 * credentials of the kubeconfig. Logs a warning at the first request. Logs nothing if the
 * application replaces this source with another token source.
 */
final class UnsentToken implements TokenSource {

	private static final Logger logger = LoggerFactory.getLogger(UnsentToken.class);

	private final URI url;

	private final String credentials;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * Creates the source.
	 * @param url the URL of the server
	 * @param credentials the fields with the unused credentials, for the log
	 */
	UnsentToken(URI url, String credentials) {
		this.url = url;
		this.credentials = credentials;
	}

	@Override
	public @Nullable String token() {
		if (this.warned.compareAndSet(false, true)) {
			logger.warn("Requests to {} carry no credentials, because the URL is not https. Like kubectl, this "
					+ "library sends {} only over https. Use https in the kubeconfig's field 'server', or "
					+ "set 'reflector.api-server.token' or 'reflector.api-server.token-file' (in code, "
					+ "ApiServer.withToken): these tokens are sent over http, too", this.url, this.credentials);
		}
		return null;
	}

	@Override
	public String toString() {
		return "no token, because " + this.url + " is not encrypted";
	}

}
