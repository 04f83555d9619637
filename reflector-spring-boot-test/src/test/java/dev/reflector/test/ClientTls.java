package dev.reflector.test;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import org.jspecify.annotations.Nullable;

/**
 * The TLS of clients.
 */
final class ClientTls {

	private ClientTls() {
	}

	/**
	 * Trusts an authority.
	 * @param authority the certificate of the authority as PEM text
	 * @param client the certificate of the client, {@code null} for none
	 * @return what makes connections
	 */
	static SSLContext trusting(String authority, @Nullable PemCertificate client) {
		try {
			KeyStore trusted = store();
			trusted.setCertificateEntry("authority", certificates(authority).get(0));
			TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			trust.init(trusted);
			KeyStore own = store();
			if (client != null) {
				String key = client.key().replaceAll("-----[A-Z ]+-----|\\s", "");
				own.setKeyEntry("client",
						KeyFactory.getInstance("EC")
							.generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(key))),
						new char[0], certificates(client.certificate()).toArray(Certificate[]::new));
			}
			KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
			keys.init(own, new char[0]);
			SSLContext context = SSLContext.getInstance("TLS");
			context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	static List<X509Certificate> certificates(String pem) {
		try {
			return CertificateFactory.getInstance("X.509")
				.generateCertificates(new ByteArrayInputStream(pem.getBytes()))
				.stream()
				.map(X509Certificate.class::cast)
				.toList();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static KeyStore store() throws GeneralSecurityException {
		try {
			KeyStore store = KeyStore.getInstance("PKCS12");
			store.load(null, null);
			return store;
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
