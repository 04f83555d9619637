package dev.reflector.client.internal.http;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.internal.pem.PemBundles.TrustEveryone;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslManagerBundle;

/** Delegates to another trust manager. If a certificate is not accepted, explains why. */
public final class ExplainingTrustManager extends X509ExtendedTrustManager {

	private static final Logger logger = LoggerFactory.getLogger(ExplainingTrustManager.class);

	private final X509ExtendedTrustManager trust;

	private final ServerCertificateAdvice advice;

	private final @Nullable String requiredName;

	private ExplainingTrustManager(X509ExtendedTrustManager trust, ServerCertificateAdvice advice,
			@Nullable String requiredName) {
		this.trust = trust;
		this.advice = advice;
		this.requiredName = requiredName;
	}

	/**
	 * Replaces the trust managers of a bundle.
	 * @param bundle the bundle, or {@code null} for the defaults of the JVM
	 * @param server the server of the connections
	 * @return a bundle whose trust managers explain why a certificate is not accepted
	 */
	public static SslBundle adapt(@Nullable SslBundle bundle, ApiServer server) {
		String name = server.route().serverName();
		ServerCertificateAdvice advice = new ServerCertificateAdvice(server.url(), name, server.ssl());
		SslBundle adapted = (bundle != null) ? bundle : SslBundle.systemDefault();
		TrustManager[] managers = adapted.getManagers().getTrustManagers().clone();
		for (int i = 0; i < managers.length; i++) {
			// only extended trust managers are replaced, because for others, the JDK
			// itself checks the host name
			if (managers[i] instanceof X509ExtendedTrustManager trust && !(trust instanceof TrustEveryone)) {
				managers[i] = new ExplainingTrustManager(trust, advice, name);
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
		requireName(chain);
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
		requireName(chain);
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

	/**
	 * Checks the configured server name, because the JDK checks only the host of the URL.
	 */
	private void requireName(X509Certificate[] chain) throws CertificateException {
		if (this.requiredName != null && !HostNames.match(chain[0], this.requiredName)) {
			throw this.advice.wrongName(chain[0]);
		}
	}

	private CertificateException explain(X509Certificate[] chain, String authType, CertificateException refusal) {
		logger.debug("The certificate of the server was not accepted", refusal);
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
