package dev.reflector.client.internal.pem;

import java.net.Socket;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.ssl.pem.PemContent;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/** Creates SSL bundles from PEM text. Exceptions never quote the text. */
public final class PemBundles {

	private PemBundles() {
	}

	/**
	 * Creates a bundle.
	 * @param material the PEM text
	 * @return the bundle, or {@code null} for empty material
	 * @throws UnusablePemException if the material is not valid
	 */
	public static @Nullable SslBundle of(PemMaterial material) {
		if (material.isEmpty()) {
			return null;
		}
		return material.insecure() ? trustingEveryone(material.certificate(), material.key())
				: bundle(material.authority(), material.certificate(), material.key());
	}

	/**
	 * Returns when a certificate expires.
	 * @param certificate certificate chain as PEM text
	 * @return the end of the validity of the first certificate
	 * @throws UnusablePemException if the certificate cannot be read
	 */
	public static Instant expiry(String certificate) {
		return first(certificate).getNotAfter().toInstant();
	}

	/**
	 * Returns when a certificate becomes valid.
	 * @param certificate certificate chain as PEM text
	 * @return the beginning of the validity of the first certificate
	 * @throws UnusablePemException if the certificate cannot be read
	 */
	public static Instant start(String certificate) {
		return first(certificate).getNotBefore().toInstant();
	}

	private static X509Certificate first(String certificate) {
		try {
			return PemContent.of(pem(certificate)).getCertificates().get(0);
		}
		catch (IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException ex) {
			throw new UnusablePemException("the certificate cannot be read");
		}
	}

	/**
	 * Creates a bundle.
	 * @param authority certificates to trust, or {@code null} for the authorities of the
	 * JVM
	 * @param certificate own certificate chain, or {@code null} for none
	 * @param key key of the own certificate
	 * @return the bundle
	 * @throws UnusablePemException if the text is not valid
	 */
	public static SslBundle bundle(@Nullable String authority, @Nullable String certificate, @Nullable String key) {
		PemSslStoreDetails trust = (authority != null) ? trust(authority) : null;
		PemSslStoreDetails own = (certificate != null && key != null) ? own(certificate, key) : null;
		return SslBundle.of(new PemSslStoreBundle(own, trust));
	}

	/**
	 * Creates a bundle that trusts every server.
	 * @param certificate own certificate chain, or {@code null} for none
	 * @param key key of the own certificate
	 * @return the bundle
	 */
	static SslBundle trustingEveryone(@Nullable String certificate, @Nullable String key) {
		SslStoreBundle stores = bundle(null, certificate, key).getStores();
		SslManagerBundle managers = SslManagerBundle.of(
				SslManagerBundle.from(stores, SslBundleKey.NONE).getKeyManagerFactory(),
				SslManagerBundle.from(new TrustManager[] { new TrustEveryone() }).getTrustManagerFactory());
		return SslBundle.of(stores, SslBundleKey.NONE, SslOptions.NONE, SslBundle.DEFAULT_PROTOCOL, managers);
	}

	private static PemSslStoreDetails trust(String authority) {
		PemSslStoreDetails details = PemSslStoreDetails.forCertificates(pem(authority));
		try {
			List<X509Certificate> certificates = PemContent.of(authority).getCertificates();
			if (certificates.isEmpty()) {
				throw new UnusablePemException("it holds no certificate");
			}
			new PemSslStoreBundle(null, details).getTrustStore();
		}
		catch (IllegalStateException | IllegalArgumentException ex) {
			throw new UnusablePemException("its certificates cannot be read");
		}
		return details;
	}

	private static PemSslStoreDetails own(String certificate, String key) {
		PemSslStoreDetails details = PemSslStoreDetails.forCertificates(pem(certificate)).withPrivateKey(pem(key));
		try {
			new PemSslStoreBundle(details, null).getKeyStore();
			X509Certificate first = PemContent.of(certificate).getCertificates().get(0);
			if (!KeyPairs.match(first.getPublicKey(), PemContent.of(key).getPrivateKey())) {
				// this can happen while two files are being replaced
				throw new UnusablePemException("the private key is not that of the certificate");
			}
		}
		catch (IllegalStateException | IllegalArgumentException | IndexOutOfBoundsException ex) {
			throw new UnusablePemException(
					"the certificate or the private key cannot be read; supported are RSA and EC "
							+ "keys as PKCS#8, PKCS#1 or SEC1 without a password");
		}
		return details;
	}

	private static String pem(String text) {
		// Spring Boot would read other text as the location of a file
		if (!PemContent.isPresentInText(text)) {
			throw new UnusablePemException("it is no PEM text");
		}
		return text;
	}

	/**
	 * Thrown when PEM text is not valid. The exception has no cause, because the cause
	 * might quote a key.
	 */
	public static final class UnusablePemException extends RuntimeException {

		UnusablePemException(String message) {
			super(message);
		}

	}

	/**
	 * Trusts every certificate of every host.
	 */
	public static final class TrustEveryone extends X509ExtendedTrustManager {

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType) {
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType) {
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[0];
		}

	}

}
