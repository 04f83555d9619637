package dev.reflector.client;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * Where trust and client certificate of connections come from. Asked anew before every
 * request, after the {@link TokenSource} has answered; must be fast. As long as it
 * returns the same instance, connections are shared; another instance has new connections
 * made, while requests in progress keep theirs.
 */
@FunctionalInterface
public interface SslSource {

	/**
	 * What to use now.
	 * @return trust and client certificate, or {@code null} for the defaults of the JVM
	 * @throws dev.reflector.cache.CredentialsException when they cannot be had at the
	 * moment; the request is not sent then, and tried again later
	 */
	@Nullable SslBundle bundle();

	/**
	 * Trust and client certificate that never change.
	 * @param bundle the bundle, or {@code null} for the defaults of the JVM
	 * @return the source
	 */
	static SslSource of(@Nullable SslBundle bundle) {
		return () -> bundle;
	}

}
