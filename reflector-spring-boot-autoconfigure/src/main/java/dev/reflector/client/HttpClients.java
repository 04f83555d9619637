package dev.reflector.client;

import java.util.function.Function;

import dev.reflector.cache.CredentialsException;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.client.reactive.ClientHttpConnector;
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

	private final Function<@Nullable SslBundle, ClientHttpConnector> connectors;

	private @Nullable Pair current;

	HttpClients(WebClient.Builder builder, SslSource ssl,
			Function<@Nullable SslBundle, ClientHttpConnector> connectors) {
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

	private synchronized Pair pair() {
		SslBundle bundle = this.ssl.bundle();
		Pair pair = this.current;
		if (pair == null || pair.bundle() != bundle) {
			WebClient list = this.builder.clone().clientConnector(this.connectors.apply(bundle)).build();
			// a watch of minutes is no request whose duration means anything
			WebClient watch = list.mutate().observationRegistry(ObservationRegistry.NOOP).build();
			pair = new Pair(bundle, list, watch);
			this.current = pair;
		}
		return pair;
	}

	private record Pair(@Nullable SslBundle bundle, WebClient list, WebClient watch) {

	}

}
