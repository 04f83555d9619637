package dev.reflector.client.credentials;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import dev.reflector.client.internal.pem.PemMaterial;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * Gets credentials from a plugin. A credential is used until shortly before it expires.
 * Then a separate thread runs the plugin once, for all waiting requests.
 */
final class ExecTokenSource implements TokenSource {

	private static final Logger logger = LoggerFactory.getLogger(ExecTokenSource.class);

	/** A long-lived credential is replaced this long before it expires. */
	private static final Duration MARGIN = Duration.ofMinutes(1);

	private final ExecPlugin plugin;

	private final InstantSource clock;

	private final Executor executor;

	private @Nullable ExecCredential current;

	private Instant refreshAt = Instant.MIN;

	private @Nullable CompletableFuture<ExecCredential> running;

	ExecTokenSource(ExecPlugin plugin) {
		this(plugin, InstantSource.system(), ExecTokenSource::start);
	}

	ExecTokenSource(ExecPlugin plugin, InstantSource clock, Executor executor) {
		this.plugin = plugin;
		this.clock = clock;
		this.executor = executor;
	}

	/**
	 * Runs the plugin on a new thread, because the plugin may take long. There is at most
	 * one such thread at a time.
	 */
	private static void start(Runnable run) {
		Thread thread = new Thread(run, "reflector-exec-plugin");
		thread.setDaemon(true);
		thread.start();
	}

	@Override
	public @Nullable String token() {
		return obtain().block();
	}

	@Override
	public Mono<String> obtain() {
		return Mono.defer(this::credential).flatMap((credential) -> Mono.justOrEmpty(credential.token()));
	}

	private synchronized Mono<ExecCredential> credential() {
		ExecCredential credential = this.current;
		Instant now = this.clock.instant();
		if (credential != null && now.isBefore(this.refreshAt)) {
			return Mono.just(credential);
		}
		CompletableFuture<ExecCredential> next = next();
		if (credential != null && now.isBefore(credential.expiry())) {
			// still valid for this request
			return Mono.just(credential);
		}
		// if one request is canceled, the plugin must continue to run for the others
		return Mono.fromFuture(next, true);
	}

	private CompletableFuture<ExecCredential> next() {
		CompletableFuture<ExecCredential> next = this.running;
		if (next == null) {
			CompletableFuture<ExecCredential> promised = new CompletableFuture<>();
			this.executor.execute(() -> run(promised));
			this.running = promised.isDone() ? null : promised;
			next = promised;
		}
		return next;
	}

	private void run(CompletableFuture<ExecCredential> promised) {
		try {
			ExecCredential credential = this.plugin.run();
			keep(credential);
			promised.complete(credential);
		}
		catch (RuntimeException | Error ex) {
			logger.debug("The {} has returned no new credential", this.plugin, ex);
			keep(null);
			promised.completeExceptionally(ex);
		}
	}

	private synchronized void keep(@Nullable ExecCredential credential) {
		this.running = null;
		if (credential == null) {
			return;
		}
		this.current = credential;
		this.refreshAt = credential.expiry();
		if (!credential.expiry().equals(Instant.MAX)) {
			Duration tenth = Duration.between(this.clock.instant(), credential.expiry()).dividedBy(10);
			this.refreshAt = credential.expiry().minus((tenth.compareTo(MARGIN) < 0) ? tenth.abs() : MARGIN);
		}
	}

	@Override
	public synchronized boolean renew(@Nullable String rejected) {
		// another rejected request may already have replaced the credential
		if (this.current != null && Objects.equals(this.current.token(), rejected)) {
			this.current = null;
		}
		return true;
	}

	/**
	 * Adds the client certificate of the current credential to the trusted authorities.
	 * @param trust the trusted authorities
	 * @return the trusted authorities, with the client certificate if there is one
	 */
	synchronized PemMaterial material(PemMaterial trust) {
		ExecCredential credential = this.current;
		return (credential != null) ? trust.withOwn(credential.certificate(), credential.key()) : trust;
	}

	@Override
	public String program() {
		return this.plugin.description();
	}

	@Override
	public String toString() {
		return this.plugin.toString();
	}

}
