package dev.reflector.client.internal.http;

import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;

import dev.reflector.cache.source.CredentialsException;
import dev.reflector.client.credentials.SslSource;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;

/**
 * The client certificate of connections.
 *
 * @param subject the subject of the certificate
 * @param end the time at which the certificate expires
 */
record ClientCertificate(String subject, Instant end) {

	/**
	 * Returns the certificate of a bundle.
	 * @param bundle the bundle, or {@code null} for the defaults of the JVM
	 * @return the certificate, or {@code null} if there is none, or if the bundle has
	 * several and it is not known which one is used
	 */
	static @Nullable ClientCertificate of(@Nullable SslBundle bundle) {
		KeyStore store = (bundle != null) ? bundle.getStores().getKeyStore() : null;
		if (bundle == null || store == null) {
			return null;
		}
		try {
			String alias = bundle.getKey().getAlias();
			if (alias == null && store.size() == 1) {
				alias = Collections.list(store.aliases()).get(0);
			}
			return (alias != null && store.isKeyEntry(alias)
					&& store.getCertificate(alias) instanceof X509Certificate certificate)
							? new ClientCertificate(certificate.getSubjectX500Principal().getName(),
									certificate.getNotAfter().toInstant())
							: null;
		}
		catch (KeyStoreException ex) {
			return null;
		}
	}

	/**
	 * Checks that the certificate has not expired.
	 * @param source the source of the certificate
	 * @param now the current time
	 * @throws CredentialsException if the certificate has expired
	 */
	void requireValid(SslSource source, Instant now) {
		if (now.isAfter(this.end)) {
			throw new CredentialsException("the client certificate " + this.subject + " has expired at " + this.end
					+ " (" + source + "); put a new certificate and key in its place, which are then used without a "
					+ "restart", null);
		}
	}

}
