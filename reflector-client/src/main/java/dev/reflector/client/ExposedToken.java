package dev.reflector.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

/**
 * The source of a token that is sent unencrypted to another machine. Logs a warning when
 * the token is first sent.
 */
final class ExposedToken implements TokenSource {

	private static final Logger logger = LoggerFactory.getLogger(ExposedToken.class);

	/**
	 * The hosts that may be this machine: {@code localhost} and addresses. Other names do
	 * not count, because the name server that resolves them cannot be trusted.
	 */
	private static final Pattern LOOPBACK = Pattern.compile("(?i)localhost|127(\\.\\d{1,3}){3}|\\[[0-9a-f:.]+]");

	private final ApiServer server;

	private final AtomicBoolean warned = new AtomicBoolean();

	ExposedToken(ApiServer server) {
		this.server = server;
	}

	/**
	 * Returns whether a token leaves this machine unencrypted.
	 * @param server the server that receives the token
	 * @return whether others on the network can read the token
	 */
	static boolean isExposed(ApiServer server) {
		return "http".equalsIgnoreCase(server.url().getScheme())
				&& (server.route().proxy() != null || !isLoopback(server.url().getHost()));
	}

	private static boolean isLoopback(String host) {
		if (!LOOPBACK.matcher(host).matches()) {
			return false;
		}
		try {
			return !host.startsWith("[") || InetAddress.getByName(host).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			return false;
		}
	}

	@Override
	public @Nullable String token() {
		return warned(this.server.token().token());
	}

	@Override
	public Mono<String> obtain() {
		return this.server.token().obtain().doOnNext(this::warned);
	}

	private @Nullable String warned(@Nullable String token) {
		if (token != null && this.warned.compareAndSet(false, true)) {
			logger.warn("The token is sent to {} without encryption (the URL is from {}), so others on the "
					+ "network can read and use it. Use https, or set "
					+ "'reflector.api-server.allow-token-over-http' to true (in code, allowTokenOverHttp of the "
					+ "builder) if something else encrypts or protects the connection", this.server.url(),
					this.server.origin());
		}
		return token;
	}

	@Override
	public boolean renew(@Nullable String rejected) {
		return this.server.token().renew(rejected);
	}

	@Override
	public @Nullable String program() {
		return this.server.token().program();
	}

	@Override
	public String toString() {
		return this.server.token().toString();
	}

}
