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
 * Encrypts connections, each with the certificate that is in use when it is made.
 */
public final class Tls {

	/** A client that does not read does not hold up the end of its connection. */
	private static final int GOODBYE_MILLIS = 100;

	/**
	 * A hundred clients that shake hands at once on a busy machine need more than Netty's
	 * ten seconds.
	 */
	private static final int HANDSHAKE_MILLIS = 60_000;

	private final boolean http2;

	private volatile Identity identity;

	/**
	 * Begins with a certificate.
	 * @param certificate the certificate of the server
	 * @param clientAuthority who signs the certificates that clients must have,
	 * {@code null} when they need none
	 * @param http2 whether to offer HTTP/2 (ALPN)
	 * @throws IllegalArgumentException when the PEM text is malformed
	 */
	Tls(PemIdentity certificate, @Nullable String clientAuthority, boolean http2) {
		this.http2 = http2;
		this.identity = identity(certificate, clientAuthority);
	}

	/**
	 * Changes the certificate for connections to come. Sessions made with the one before
	 * cannot be taken up again, so that every client sees the new one.
	 * @param certificate the certificate of the server
	 * @throws IllegalArgumentException when the PEM text is malformed
	 */
	public synchronized void use(PemIdentity certificate) {
		use(certificate, this.identity.clientAuthority());
	}

	/**
	 * Changes whose certificates clients must have, for connections to come.
	 * @param authority who signs the certificates that clients must have, {@code null}
	 * when they need none
	 * @throws IllegalArgumentException when the PEM text is malformed
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
			// the server has done it
			return;
		}
		SslHandler handler = this.identity.context().newHandler(channel.alloc());
		handler.setCloseNotifyFlushTimeoutMillis(GOODBYE_MILLIS);
		handler.setHandshakeTimeoutMillis(HANDSHAKE_MILLIS);
		channel.pipeline().addFirst(handler);
	}

	/**
	 * Has the server choose the version of HTTP when a connection is made, for which it
	 * must know of TLS itself.
	 * @param server the server
	 * @return the server that chooses
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
			// without the cause, which may quote the key
			throw new IllegalArgumentException("The certificate, its key or that of the clients' authority cannot be "
					+ "read; they must be PEM text, and the key PKCS#8 without a password");
		}
	}

	private static InputStream stream(String text) {
		return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * A certificate ready to be used.
	 *
	 * @param certificate the certificate
	 * @param clientAuthority who signs the certificates of clients, {@code null} for none
	 * @param context what makes connections with it
	 */
	private record Identity(PemIdentity certificate, @Nullable String clientAuthority, SslContext context) {

	}

}
