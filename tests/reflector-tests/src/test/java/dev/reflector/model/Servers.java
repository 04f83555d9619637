package dev.reflector.model;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.options.ClientOptions;
import dev.reflector.client.options.Timeouts;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.LoadBalancer;
import dev.reflector.test.RecordedRequest;
import reactor.core.scheduler.Scheduler;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.util.unit.DataSize;

/**
 * The server of a history, which may share its address with another one that lags behind
 * (E-15).
 */
final class Servers implements AutoCloseable {

	private final EmbeddedApiServer main;

	private final List<EmbeddedApiServer> all;

	private final LoadBalancer balancer;

	private boolean away;

	Servers(Setup setup) {
		this.main = start(setup);
		this.all = setup.twoServers() ? List.of(this.main, start(setup)) : List.of(this.main);
		this.balancer = setup.twoServers() ? LoadBalancer.over(this.main) : null;
	}

	private static EmbeddedApiServer start(Setup setup) {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.historyWindow(setup.historyWindow())
			.watchList(setup.streams())
			.versionTimeout(Duration.ofMillis(5))
			.bookmarkInterval(Duration.ofMillis(setup.bookmarkMillis()))
			.bookmarkEvery(setup.bookmarkEvery())
			.unordered(setup.unordered())
			.start();
	}

	EmbeddedApiServer main() {
		return this.main;
	}

	private URI url() {
		return (this.balancer != null) ? this.balancer.url() : this.main.url();
	}

	ApiServerClient client(Setup setup, Scheduler decoders, Attempts attempts) {
		Timeouts timeouts = new Timeouts(Duration.ofSeconds(5), Duration.ofMillis(setup.idleMillis()),
				Duration.ofMillis(setup.idleMillis()), Duration.ofSeconds(60));
		return ApiServerClient.builder(new ApiServer(url(), null, TokenSource.none(), "model"))
			.connectorBuilder(ClientHttpConnectorBuilder.reactor()
				.withHttpClientCustomizer((client) -> attempts.observe(client.keepAlive(setup.keepAlive()))))
			.options(ClientOptions.defaults()
				.withTimeouts(timeouts)
				.withMaxObjectSize(DataSize.ofBytes(Trouble.MAX_OBJECT_SIZE)))
			.decodeScheduler(decoders)
			.build();
	}

	/**
	 * Sends clients to the server that lags behind, or back to the main one.
	 * @param caughtUp whether the one that lags behind takes over what there is now
	 * @return whether clients may see an earlier state
	 */
	boolean switchOver(boolean caughtUp) {
		if (this.balancer == null) {
			return false;
		}
		if (this.away) {
			comeHome();
			return false;
		}
		this.away = true;
		EmbeddedApiServer behind = this.all.get(1);
		if (caughtUp) {
			behind.restore(this.main.backup());
		}
		this.balancer.sendTo(behind);
		this.balancer.disconnect();
		return true;
	}

	/** Sends clients back to the main server. */
	void comeHome() {
		if (this.away) {
			this.away = false;
			this.balancer.sendTo(this.main);
			this.balancer.disconnect();
		}
	}

	int activeWatches() {
		return this.all.stream().mapToInt(EmbeddedApiServer::activeWatches).sum();
	}

	int connections() {
		return this.all.stream().mapToInt(EmbeddedApiServer::activeConnections).sum();
	}

	long requests(Predicate<RecordedRequest> matching) {
		return all(matching).size();
	}

	List<RecordedRequest> all(Predicate<RecordedRequest> matching) {
		return this.all.stream().flatMap((server) -> server.requests(matching).stream()).toList();
	}

	@Override
	public void close() {
		Stream.<AutoCloseable>concat(Stream.ofNullable(this.balancer), this.all.stream()).forEach(Servers::close);
	}

	private static void close(AutoCloseable closeable) {
		try {
			closeable.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
