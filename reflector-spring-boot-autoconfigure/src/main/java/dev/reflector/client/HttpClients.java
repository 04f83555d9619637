package dev.reflector.client;

import dev.reflector.cache.CredentialsException;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * The HTTP clients for the trust and client certificate of the moment. When these change,
 * new clients are made: the next request makes a new connection with them, those in
 * progress end on the old ones.
 */
final class HttpClients {

	private static final Logger logger = LoggerFactory.getLogger(HttpClients.class);

	private final WebClient.Builder builder;

	private final SslSource ssl;

	private final Connectors connectors;

	private @Nullable Pair current;

	HttpClients(WebClient.Builder builder, SslSource ssl, Connectors connectors) {
		this.builder = builder;
		this.ssl = ssl;
		this.connectors = connectors;
	}

	/**
	 * Makes the first clients, so that what cannot work fails early. What is only missing
	 * for now does not.
	 */
	void prepare() {
		try {
			pair();
		}
		catch (CredentialsException ex) {
			logger.debug("Connections cannot be made yet", ex);
		}
	}

	/** For answers that have an end. */
	WebClient list() {
		return pair().list();
	}

	/** For streams. */
	WebClient watch() {
		return pair().watch();
	}

	/** Closes all connections. The next request makes new ones. */
	synchronized void disconnect() {
		this.current = null;
		this.connectors.release();
	}

	private synchronized Pair pair() {
		SslBundle bundle = this.ssl.bundle();
		Pair pair = this.current;
		if (pair == null || pair.bundle() != bundle) {
			Connectors.Made made = this.connectors.make(bundle);
			WebClient list = this.builder.clone().clientConnector(made.lists()).build();
			// a watch of minutes is no request whose duration means anything
			WebClient watch = list.mutate()
				.clientConnector(made.watches())
				.observationRegistry(ObservationRegistry.NOOP)
				.build();
			pair = new Pair(bundle, list, watch);
			this.current = pair;
		}
		return pair;
	}

	private record Pair(@Nullable SslBundle bundle, WebClient list, WebClient watch) {

	}

}
