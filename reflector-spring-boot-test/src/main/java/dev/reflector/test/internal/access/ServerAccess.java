package dev.reflector.test.internal.access;

import java.net.URI;
import java.time.InstantSource;

import dev.reflector.test.internal.options.AccessOptions;
import dev.reflector.test.internal.options.PemIdentity;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServer;

/**
 * Decides which clients may connect to a server, and how. The options of the builder
 * apply until they are changed.
 */
public final class ServerAccess {

	/** The address on which servers listen. */
	public static final String HOST = "127.0.0.1";

	private final AccessOptions options;

	private final TokenGuard guard;

	private final @Nullable Tls tls;

	private final RoleGuard roles;

	public ServerAccess(AccessOptions options, InstantSource clock) {
		this.options = options;
		this.roles = new RoleGuard(options.rolesDelay(), clock);
		this.guard = new TokenGuard(options.tokens());
		PemIdentity certificate = options.certificate();
		this.tls = (certificate != null) ? new Tls(certificate, options.clientAuthority(), options.http2()) : null;
	}

	public TokenGuard guard() {
		return this.guard;
	}

	public RoleGuard roles() {
		return this.roles;
	}

	/**
	 * Configures a server for the HTTP versions that it should offer.
	 * @param server the server
	 * @return the configured server
	 */
	public HttpServer negotiate(HttpServer server) {
		return (this.tls != null && this.options.http2()) ? this.tls.negotiate(server) : server;
	}

	public void secure(Channel channel) {
		if (this.tls != null) {
			this.tls.secure(channel);
		}
	}

	public URI url(int port) {
		if (port == 0) {
			throw new IllegalStateException("The server has no port before it is started");
		}
		return URI.create(((this.tls != null) ? "https" : "http") + "://" + HOST + ":" + port);
	}

	public Tls requireTls() {
		if (this.tls == null) {
			throw new IllegalStateException("The server was described without tls()");
		}
		return this.tls;
	}

	public @Nullable String token() {
		return this.guard.first();
	}

	public String kubeconfig(URI url, @Nullable PemIdentity client) {
		return new KubeconfigText(url, (this.tls != null) ? this.tls.authority() : null, this.guard.first(), client)
			.yaml();
	}

	/**
	 * Restores the options of the builder.
	 */
	public void reset() {
		this.guard.accept(this.options.tokens());
		if (this.options.certificate() != null) {
			requireTls().use(this.options.certificate());
			requireTls().accept(this.options.clientAuthority());
		}
	}

}
