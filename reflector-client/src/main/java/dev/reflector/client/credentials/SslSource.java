package dev.reflector.client.credentials;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * The source of trust and client certificate of connections. Called before every request,
 * after the {@link TokenSource}, by a thread that may read files but should not wait for
 * anything else. As long as it returns the same instance, requests share connections.
 * After it has returned another instance, new requests make new connections, while
 * requests in progress keep theirs. Messages contain its {@code toString()}, which should
 * name files and fields, and must not show secrets.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SslSource {

	/**
	 * Returns the current trust and client certificate.
	 * @return the bundle, or {@code null} for the defaults of the JVM
	 * @throws dev.reflector.cache.source.CredentialsException when the bundle is not
	 * available; then the request is not sent, and is tried again later
	 */
	@Nullable SslBundle bundle();

	/**
	 * Called when a bundle was rejected: in the TLS handshake one side did not accept the
	 * other, or the server rejected a request over such a connection. Called by a thread
	 * that may block, at most once for each request.
	 * @param rejected the bundle, or {@code null} for the defaults of the JVM
	 * @return whether {@link #bundle()} now returns another one; the request is then
	 * repeated once
	 */
	default boolean renew(@Nullable SslBundle rejected) {
		return bundle() != rejected;
	}

	/**
	 * Creates a source of a fixed trust and client certificate.
	 * @param bundle the bundle, or {@code null} for the defaults of the JVM
	 * @return the source
	 */
	static SslSource of(@Nullable SslBundle bundle) {
		return new FixedSslSource(bundle);
	}

}
