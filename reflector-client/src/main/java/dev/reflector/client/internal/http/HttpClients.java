package dev.reflector.client.internal.http;

import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.reflector.cache.source.CredentialsException;
import dev.reflector.client.credentials.SslSource;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * The HTTP clients for the trust and client certificate of the moment. When these change,
 * new clients are made: the next request makes a new connection with them, those in
 * progress end on the old ones, which are closed after the last of them.
 */
public final class HttpClients {

	private static final Logger logger = LoggerFactory.getLogger(HttpClients.class);

	private static final long WARM_UP_SECONDS = 5;

	private final WebClient.Builder builder;

	private final SslSource ssl;

	private final Function<@Nullable SslBundle, Connectors> connectors;

	private @Nullable Generation current;

	/** Whether something is being made ahead of the first request. */
	private volatile CountDownLatch warming = new CountDownLatch(0);

	public HttpClients(WebClient.Builder builder, SslSource ssl, Function<@Nullable SslBundle, Connectors> connectors) {
		this.builder = builder;
		this.ssl = ssl;
		this.connectors = connectors;
	}

	/**
	 * Makes the first clients, so that what cannot work fails early. What is only missing
	 * for now does not. While the application goes on to start, threads and libraries
	 * that the first request needs are made on another thread, if there is a processor
	 * for that.
	 */
	public void prepare() {
		try {
			Generation first = generation();
			if (Runtime.getRuntime().availableProcessors() > 1) {
				warmUp(first);
			}
		}
		catch (CredentialsException ex) {
			logger.debug("Connections cannot be made yet", ex);
		}
	}

	private void warmUp(Generation generation) {
		CountDownLatch done = new CountDownLatch(1);
		generation.use();
		try {
			Schedulers.boundedElastic().schedule(() -> {
				try {
					generation.warmUp.run();
				}
				catch (Throwable ex) {
					// the first request will try again, and say what is wrong
					logger.debug("Nothing could be made ahead of the first request", ex);
				}
				finally {
					done.countDown();
					generation.giveBack();
				}
			});
			this.warming = done;
		}
		catch (RejectedExecutionException ex) {
			generation.giveBack();
		}
	}

	/**
	 * The clients of the moment, for one request. May read files.
	 * @return the clients, to be given back
	 * @throws CredentialsException when there are none at the moment
	 */
	public synchronized Lease lease() {
		Generation generation = generation();
		ClientCertificate own = generation.certificate;
		if (own != null) {
			own.requireValid(this.ssl, Instant.now());
		}
		generation.use();
		return new Lease(generation);
	}

	/** Trust and client certificate of the moment. May read files. */
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
		WebClient list = this.builder.clone().clientConnector(made.lists()).build();
		// a watch of minutes is no request whose duration means anything
		WebClient watch = list.mutate()
			.clientConnector(made.watches())
			.observationRegistry(ObservationRegistry.NOOP)
			.build();
		Generation next = new Generation(bundle, ClientCertificate.of(bundle), list, watch, made);
		this.current = next;
		if (previous != null) {
			logger.info("New connections use the trust and client certificate that have come by now ({})", this.ssl);
			previous.retire();
		}
		return next;
	}

	/**
	 * Other credentials are needed.
	 * @param rejected what the request was sent with
	 * @return whether there are others now
	 */
	public boolean renew(Lease rejected) {
		return this.ssl.renew(rejected.generation.bundle);
	}

	/**
	 * Closes all connections that are not in use, and the others after their use. The
	 * next request makes new ones.
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

	/** Threads must not be made when their owner has ended those that there are. */
	private void awaitWarmUp() {
		try {
			if (!this.warming.await(WARM_UP_SECONDS, TimeUnit.SECONDS)) {
				logger.debug("What the first request needs is still being made");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** The clients, as long as one request needs them. */
	public static final class Lease {

		private final Generation generation;

		private Lease(Generation generation) {
			this.generation = generation;
		}

		/** For answers that have an end. */
		public WebClient list() {
			return this.generation.list;
		}

		/** For streams. */
		public WebClient watch() {
			return this.generation.watch;
		}

		@Nullable public SslBundle bundle() {
			return this.generation.bundle;
		}

		public boolean hasClientCertificate() {
			return this.generation.certificate != null;
		}

		/** To be called once. */
		public void giveBack() {
			this.generation.giveBack();
		}

	}

	/** Has a lock of its own: threads of the network must not wait for files. */
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
