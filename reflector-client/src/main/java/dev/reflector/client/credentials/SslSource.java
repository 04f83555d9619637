package dev.reflector.client.credentials;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * Where trust and client certificate of connections come from. Asked anew before every
 * request, after the {@link TokenSource} has answered, by a thread that may read files
 * but should not wait for anything else. As long as it returns the same instance,
 * connections are shared; another instance has new connections made, while requests in
 * progress keep theirs. Its text form stands in messages, to say where to look: it names
 * files and fields, and shows nothing of what is in them.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface SslSource {

	/**
	 * What to use now.
	 * @return trust and client certificate, or {@code null} for the defaults of the JVM
	 * @throws dev.reflector.cache.source.CredentialsException when they cannot be had at
	 * the moment; the request is not sent then, and tried again later
	 */
	@Nullable SslBundle bundle();

	/**
	 * Takes note that a connection could not be made with a bundle, because one side does
	 * not accept the other, or that the server has rejected a request that came over it.
	 * Called by a thread that may block, once for each request at most.
	 * @param rejected the bundle, or {@code null} for the defaults of the JVM
	 * @return whether {@link #bundle()} returns another one now: the request is then
	 * repeated once
	 */
	default boolean renew(@Nullable SslBundle rejected) {
		return bundle() != rejected;
	}

	/**
	 * Trust and client certificate that never change.
	 * @param bundle the bundle, or {@code null} for the defaults of the JVM
	 * @return the source
	 */
	static SslSource of(@Nullable SslBundle bundle) {
		return new FixedSslSource(bundle);
	}

}
