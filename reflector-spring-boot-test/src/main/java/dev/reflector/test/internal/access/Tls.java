package dev.reflector.test.internal.access;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

import javax.net.ssl.SSLException;

import dev.reflector.test.internal.options.PemIdentity;
import io.netty.channel.Channel;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;

/**
 * Encrypts connections. Each connection uses the certificate that is current when the
 * client connects.
 */
public final class Tls {

	/**
	 * Time limit for sending the closing message of TLS, so that a client that does not
	 * read cannot delay the end of its connection.
	 */
	private static final int GOODBYE_MILLIS = 100;

	/**
	 * Time limit for a handshake. It is longer than Netty's default of ten seconds,
	 * because a hundred handshakes at the same time take longer on a busy machine.
	 */
	private static final int HANDSHAKE_MILLIS = 60_000;

	private final boolean http2;

	private volatile Identity identity;

	/**
	 * Creates the encryption of a server.
	 * @param certificate the certificate of the server
	 * @param clientAuthority certificate of the authority that signs client certificates,
	 * or {@code null} if clients need no certificate
	 * @param http2 whether to offer HTTP/2 (ALPN)
	 * @throws IllegalArgumentException if the PEM text is malformed
	 */
	Tls(PemIdentity certificate, @Nullable String clientAuthority, boolean http2) {
		this.http2 = http2;
		this.identity = identity(certificate, clientAuthority);
	}

	/**
	 * Changes the certificate for new connections. TLS sessions that began with the
	 * former certificate cannot be resumed, so every client that connects receives the
	 * new certificate.
	 * @param certificate the certificate of the server
	 * @throws IllegalArgumentException if the PEM text is malformed
	 */
	public synchronized void use(PemIdentity certificate) {
		use(certificate, this.identity.clientAuthority());
	}

	/**
	 * Changes the authority of client certificates for new connections.
	 * @param authority certificate of the authority that signs client certificates, or
	 * {@code null} if clients need no certificate
	 * @throws IllegalArgumentException if the PEM text is malformed
	 */
	public synchronized void accept(@Nullable String authority) {
		use(this.identity.certificate(), authority);
	}

	private void use(PemIdentity certificate, @Nullable String clientAuthority) {
		boolean same = certificate.equals(this.identity.certificate())
				&& Objects.equals(clientAuthority, this.identity.clientAuthority());
		if (!same) {
			this.identity = identity(certificate, clientAuthority);
		}
	}

	public String authority() {
		return this.identity.certificate().root();
	}

	void secure(Channel channel) {
		if (this.http2) {
			// Reactor Netty has added the TLS handler already
			return;
		}
		SslHandler handler = this.identity.context().newHandler(channel.alloc());
		handler.setCloseNotifyFlushTimeoutMillis(GOODBYE_MILLIS);
		handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
		channel.pipeline().addFirst(handler);
	}

	/**
	 * Makes a server offer HTTP/2 and HTTP/1.1, so that each client chooses a version
	 * when it connects. For this, Reactor Netty's server must handle TLS itself.
	 * @param server the server
	 * @return the configured server
	 */
	HttpServer negotiate(HttpServer server) {
		return server.protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
			.secure((spec) -> spec.sslContext(new RotatingSslContext(() -> this.identity.context()))
				.closeNotifyFlushTimeoutMillis(GOODBYE_MILLIS)
				.handshakeTimeoutMillis(HANDSHAKE_MILLIS));
	}

	private Identity identity(PemIdentity certificate, @Nullable String clientAuthority) {
		certificate.root();
		try {
			SslContextBuilder builder = SslContextBuilder
				.forServer(stream(certificate.certificate()), stream(certificate.key()))
				.sslProvider(SslProvider.JDK);
			if (clientAuthority != null) {
				builder.trustManager(stream(clientAuthority)).clientAuth(ClientAuth.REQUIRE);
			}
			if (this.http2) {
				builder.applicationProtocolConfig(new ApplicationProtocolConfig(Protocol.ALPN,
						SelectorFailureBehavior.NO_ADVERTISE, SelectedListenerFailureBehavior.ACCEPT,
						ApplicationProtocolNames.HTTP_2, ApplicationProtocolNames.HTTP_1_1));
			}
			return new Identity(certificate, clientAuthority, builder.build());
		}
		catch (SSLException | IllegalArgumentException ex) {
			// the exception has no cause, because the message of the cause may quote the
			// key
			throw new IllegalArgumentException("The certificate, its key or that of the clients' authority cannot be "
					+ "read; they must be PEM text, and the key PKCS#8 without a password");
		}
	}

	private static InputStream stream(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * A certificate, and the SSL context made from it.
	 *
	 * @param certificate the certificate
	 * @param clientAuthority certificate of the authority of client certificates, or
	 * {@code null} for none
	 * @param context the SSL context for connections with the certificate
	 */
	private record Identity(PemIdentity certificate, @Nullable String clientAuthority, SslContext context) {

	}

}
