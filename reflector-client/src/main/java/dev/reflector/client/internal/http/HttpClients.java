package dev.reflector.client.internal.http;

import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.reflector.cache.source.CredentialsException;
import dev.reflector.client.credentials.SslSource;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Creates the HTTP clients with the current trusted authorities and client certificate.
 * When these change, the next request uses new clients with new connections. Requests in
 * progress keep the old clients. The old clients are closed when the last request that
 * uses them has ended.
 */
public final class HttpClients {

	private static final Logger logger = LoggerFactory.getLogger(HttpClients.class);

	private static final long WARM_UP_SECONDS = 5;

	private final WebClient.Builder builder;

	private final SslSource ssl;

	private final Function<@Nullable SslBundle, Connectors> connectors;

	private @Nullable Generation current;

	/** Reaches zero when the warm-up of the clients has ended. */
	private volatile CountDownLatch warming = new CountDownLatch(0);

	public HttpClients(WebClient.Builder builder, SslSource ssl, Function<@Nullable SslBundle, Connectors> connectors) {
		this.builder = builder;
		this.ssl = ssl;
		this.connectors = connectors;
	}

	/**
	 * Creates the first clients, so that a wrong configuration fails early. Missing
	 * credentials do not fail here. If there is more than one processor, also warms up
	 * the clients on another thread while the application continues to start. The warm-up
	 * loads the library and starts the threads for the first request.
	 */
	public void prepare() {
		try {
			Generation first = generation();
			if (Runtime.getRuntime().availableProcessors() > 1) {
				warmUp(first);
			}
		}
		catch (CredentialsException ex) {
			logger.debug("The credentials are not available yet", ex);
		}
	}

	private void warmUp(Generation generation) {
		CountDownLatch done = new CountDownLatch(1);
		generation.use();
		Thread thread = new Thread(() -> {
			try {
				generation.warmUp.run();
			}
			catch (Throwable ex) {
				// the first request does the same again, and reports the failure
				logger.debug("The HTTP client could not be warmed up, so the first request will be slower", ex);
			}
			finally {
				done.countDown();
				generation.giveBack();
			}
		}, "reflector-warm-up");
		thread.setDaemon(true);
		this.warming = done;
		thread.start();
	}

	/**
	 * Leases the current clients for one request. May read files.
	 * @return the clients, which must be given back
	 * @throws CredentialsException if the credentials are not available
	 */
	public synchronized Lease lease() {
		Generation generation = generation();
		ClientCertificate own = generation.certificate;
		if (own != null) {
			own.requireValid(this.ssl, Instant.now());
		}
		generation.use();
		return new Lease(generation, this.ssl);
	}

	/** Returns the current trusted authorities and client certificate. May read files. */
	@Nullable public SslBundle bundle() {
		return this.ssl.bundle();
	}

	private synchronized Generation generation() {
		SslBundle bundle = this.ssl.bundle();
		Generation previous = this.current;
		if (previous != null && previous.bundle == bundle) {
			return previous;
		}
		Connectors made = this.connectors.apply(bundle);
		WebClient list = this.builder.clone()
			.clientConnector(made.lists())
			// otherwise, 'spring.http.codecs.log-request-details' would log the token
			.codecs((codecs) -> codecs.defaultCodecs().enableLoggingRequestDetails(false))
			.build();
		// watches are not observed, because their duration has no meaning
		WebClient watch = list.mutate()
			.clientConnector(made.watches())
			.observationRegistry(ObservationRegistry.NOOP)
			.build();
		Generation next = new Generation(bundle, ClientCertificate.of(bundle), list, watch, made);
		this.current = next;
		if (previous != null) {
			logger.info("The certificates have changed ({}). New connections use the new ones", this.ssl);
			previous.retire();
		}
		return next;
	}

	/**
	 * Renews the trusted authorities and the client certificate.
	 * @param rejected the clients of the rejected request
	 * @return whether the authorities or the client certificate have changed
	 */
	public boolean renew(Lease rejected) {
		return this.ssl.renew(rejected.generation.bundle);
	}

	/**
	 * Closes idle connections now and busy connections after their use. The next request
	 * makes new connections.
	 */
	public void disconnect() {
		awaitWarmUp();
		synchronized (this) {
			if (this.current != null) {
				this.current.retire();
				this.current = null;
			}
		}
	}

	/**
	 * Waits for the end of the warm-up. Otherwise, the warm-up could start threads of a
	 * library that was already stopped.
	 */
	private void awaitWarmUp() {
		try {
			if (!this.warming.await(WARM_UP_SECONDS, TimeUnit.SECONDS)) {
				logger.debug("The warm-up of the HTTP client is still running");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** The clients for one request. */
	public static final class Lease {

		private final Generation generation;

		private final SslSource ssl;

		private Lease(Generation generation, SslSource ssl) {
			this.generation = generation;
			this.ssl = ssl;
		}

		/** Returns the client for responses that have an end. */
		public WebClient list() {
			return this.generation.list;
		}

		/** Returns the client for streams. */
		public WebClient watch() {
			return this.generation.watch;
		}

		@Nullable public SslBundle bundle() {
			return this.generation.bundle;
		}

		/** Returns the source of the trusted authorities and the client certificate. */
		public SslSource ssl() {
			return this.ssl;
		}

		public boolean hasClientCertificate() {
			return this.generation.certificate != null;
		}

		/** Gives the clients back. Must be called exactly once. */
		public void giveBack() {
			this.generation.giveBack();
		}

	}

	/**
	 * The clients for one bundle. This class has its own lock, because network threads
	 * that give clients back must not wait while another thread reads files.
	 */
	private static final class Generation {

		private final @Nullable SslBundle bundle;

		private final @Nullable ClientCertificate certificate;

		private final WebClient list;

		private final WebClient watch;

		private final Runnable close;

		private final Runnable warmUp;

		private int users;

		private boolean retired;

		Generation(@Nullable SslBundle bundle, @Nullable ClientCertificate certificate, WebClient list, WebClient watch,
				Connectors connectors) {
			this.bundle = bundle;
			this.certificate = certificate;
			this.list = list;
			this.watch = watch;
			this.close = connectors.close();
			this.warmUp = connectors.warmUp();
		}

		synchronized void use() {
			this.users++;
		}

		synchronized void giveBack() {
			this.users--;
			closeIfUnused();
		}

		synchronized void retire() {
			this.retired = true;
			closeIfUnused();
		}

		private void closeIfUnused() {
			if (this.retired && this.users == 0) {
				this.close.run();
			}
		}

	}

}
