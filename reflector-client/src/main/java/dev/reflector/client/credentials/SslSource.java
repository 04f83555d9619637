package dev.reflector.client.credentials;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * The source of the trusted authorities and the client certificate for connections. It is
 * called before every request, after the {@link TokenSource}, on a thread that may read
 * files but should not wait for anything else. While it returns the same instance,
 * requests share connections. When it returns another instance, new requests use new
 * connections, and requests in progress keep their connections. Log messages contain its
 * {@code toString()}, which should name files and fields, must not show secrets, and must
 * not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SslSource {

	/**
	 * Returns the current trusted authorities and client certificate.
	 * @return the bundle, or {@code null} for the defaults of the JVM
	 * @throws dev.reflector.cache.source.CredentialsException if the bundle is not
	 * available; the request is then not sent, and is tried again later
	 */
	@Nullable SslBundle bundle();

	/**
	 * Called when a bundle was rejected: the client or the server did not accept the
	 * certificate of the other side in the TLS handshake, or the server rejected the
	 * credentials of a request on a connection with this bundle. Called on a thread that
	 * may block, at most once for each request.
	 * @param rejected the rejected bundle, or {@code null} for the defaults of the JVM
	 * @return whether {@link #bundle()} now returns another bundle; the request is then
	 * repeated once
	 */
	default boolean renew(@Nullable SslBundle rejected) {
		return bundle() != rejected;
	}

	/**
	 * Creates a source of trusted authorities and a client certificate that never change.
	 * @param bundle the bundle, or {@code null} for the defaults of the JVM
	 * @return the source
	 */
	static SslSource of(@Nullable SslBundle bundle) {
		return new FixedSslSource(bundle);
	}

}
