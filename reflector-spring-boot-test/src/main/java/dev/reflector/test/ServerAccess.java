package dev.reflector.test;

import java.net.URI;
import java.time.InstantSource;

import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServer;

/**
 * Who may connect to a server now, and how: what was described, until it is changed.
 */
final class ServerAccess {

	private final AccessOptions options;

	private final TokenGuard guard;

	private final @Nullable Tls tls;

	private final RoleGuard roles;

	ServerAccess(AccessOptions options, InstantSource clock) {
		this.options = options;
		this.roles = new RoleGuard(options.rolesDelay(), clock);
		this.guard = new TokenGuard(options.tokens());
		PemCertificate certificate = options.certificate();
		this.tls = (certificate != null) ? new Tls(certificate, options.clientAuthority(), options.http2()) : null;
	}

	TokenGuard guard() {
		return this.guard;
	}

	RoleGuard roles() {
		return this.roles;
	}

	/**
	 * Sets up what versions of HTTP the server offers.
	 * @param server the server
	 * @return the server that offers them
	 */
	HttpServer negotiate(HttpServer server) {
		return (this.tls != null && this.options.http2()) ? this.tls.negotiate(server) : server;
	}

	void secure(Channel channel) {
		if (this.tls != null) {
			this.tls.secure(channel);
		}
	}

	URI url(int port) {
		if (port == 0) {
			throw new IllegalStateException("The server has no port before it is started");
		}
		return URI.create(((this.tls != null) ? "https" : "http") + "://" + Endpoint.HOST + ":" + port);
	}

	Tls requireTls() {
		if (this.tls == null) {
			throw new IllegalStateException("The server was described without tls()");
		}
		return this.tls;
	}

	String kubeconfig(URI url, @Nullable PemCertificate client) {
		return new KubeconfigText(url, (this.tls != null) ? this.tls.authority() : null, this.guard.first(), client)
			.yaml();
	}

	/**
	 * Goes back to what was described.
	 */
	void reset() {
		this.guard.accept(this.options.tokens());
		if (this.options.certificate() != null) {
			requireTls().use(this.options.certificate());
			requireTls().accept(this.options.clientAuthority());
		}
	}

}
