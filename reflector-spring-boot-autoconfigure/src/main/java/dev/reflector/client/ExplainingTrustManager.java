package dev.reflector.client;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;

/**
 * Trusts whom another one trusts, and says why when it does not.
 */
final class ExplainingTrustManager extends X509ExtendedTrustManager {

	private final X509ExtendedTrustManager trust;

	private final ServerCertificateAdvice advice;

	private ExplainingTrustManager(X509ExtendedTrustManager trust, ServerCertificateAdvice advice) {
		this.trust = trust;
		this.advice = advice;
	}

	/**
	 * Adapts a bundle.
	 * @param bundle the bundle, or {@code null} for the defaults of the JVM
	 * @param advice explains why a certificate is not accepted
	 * @return the adapted bundle
	 */
	static SslBundle adapt(@Nullable SslBundle bundle, ServerCertificateAdvice advice) {
		SslBundle adapted = (bundle != null) ? bundle : SslBundle.systemDefault();
		TrustManager[] managers = adapted.getManagers().getTrustManagers().clone();
		for (int i = 0; i < managers.length; i++) {
			// others would have the host name checked by the JDK, which one that is
			// extended does itself
			if (managers[i] instanceof X509ExtendedTrustManager trust) {
				managers[i] = new ExplainingTrustManager(trust, advice);
			}
		}
		return SslBundle.of(adapted.getStores(), adapted.getKey(), adapted.getOptions(), adapted.getProtocol(),
				SslManagerBundle.of(adapted.getManagers().getKeyManagerFactory(),
						SslManagerBundle.from(managers).getTrustManagerFactory()));
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
			throws CertificateException {
		try {
			this.trust.checkServerTrusted(chain, authType, engine);
		}
		catch (CertificateException ex) {
			throw explain(chain, authType, ex);
		}
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
			throws CertificateException {
		try {
			this.trust.checkServerTrusted(chain, authType, socket);
		}
		catch (CertificateException ex) {
			throw explain(chain, authType, ex);
		}
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
		try {
			this.trust.checkServerTrusted(chain, authType);
		}
		catch (CertificateException ex) {
			throw explain(chain, authType, ex);
		}
	}

	private CertificateException explain(X509Certificate[] chain, String authType, CertificateException refusal) {
		return (chain.length > 0) ? this.advice.explain(chain, authType, this.trust, Instant.now(), refusal) : refusal;
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
			throws CertificateException {
		this.trust.checkClientTrusted(chain, authType, engine);
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
			throws CertificateException {
		this.trust.checkClientTrusted(chain, authType, socket);
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
		this.trust.checkClientTrusted(chain, authType);
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		return this.trust.getAcceptedIssuers();
	}

}
