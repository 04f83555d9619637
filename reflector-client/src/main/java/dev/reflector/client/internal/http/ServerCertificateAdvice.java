package dev.reflector.client.internal.http;

import java.net.URI;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

import javax.net.ssl.X509TrustManager;

import dev.reflector.client.credentials.SslSource;
import org.jspecify.annotations.Nullable;

/**
 * Explains why the certificate of a server was not accepted, and what to do. Examines the
 * certificate itself, and not the messages of the JDK.
 *
 * @param url the URL of the server
 * @param serverName the name for which the certificate must be valid
 * @param source the source of the trusted authorities
 */
record ServerCertificateAdvice(URI url, String serverName, SslSource source) {

	private static final int MAX_NAMES = 3;

	private static final int MAX_HOSTS = 10;

	ServerCertificateAdvice(URI url, @Nullable String serverName, SslSource source) {
		this.url = url;
		this.serverName = (serverName != null) ? serverName : url.getHost().replaceAll("[\\[\\]]", "");
		this.source = source;
	}

	/**
	 * Explains why a certificate was not accepted.
	 * @param chain the certificate chain of the server
	 * @param authType the key exchange algorithm
	 * @param trust the trust manager that has not accepted the certificate
	 * @param now the current time
	 * @param refusal the exception of the trust manager
	 * @return the explanation
	 */
	ServerCertificateException explain(X509Certificate[] chain, String authType, X509TrustManager trust, Instant now,
			CertificateException refusal) {
		try {
			// this check ignores the host name
			trust.checkServerTrusted(chain, authType);
		}
		catch (CertificateException ex) {
			return untrusted(chain, trust, now, ex);
		}
		return HostNames.match(chain[0], this.serverName) ? unsuitable(refusal) : wrongName(chain[0]);
	}

	/**
	 * Explains that the certificate belongs to another host.
	 * @param certificate the certificate of the server
	 * @return the explanation
	 */
	ServerCertificateException wrongName(X509Certificate certificate) {
		List<String> hosts = HostNames.of(certificate);
		return failure("WrongHostName",
				"is not valid for the host '" + this.serverName + "'; use a name in the URL that it is valid for ("
						+ (hosts.isEmpty() ? "there is none"
								: hosts.stream().limit(MAX_HOSTS).collect(Collectors.joining(", ")))
						+ "), set tls-server-name in the kubeconfig, or have a certificate with this name issued");
	}

	private ServerCertificateException untrusted(X509Certificate[] chain, X509TrustManager trust, Instant now,
			CertificateException refusal) {
		for (X509Certificate certificate : chain) {
			Instant begin = certificate.getNotBefore().toInstant();
			Instant end = certificate.getNotAfter().toInstant();
			if (now.isAfter(end)) {
				return failure("ServerCertificateExpired",
						"has expired at " + end + "; have it renewed on the server, or set the clock of this machine "
								+ "if it is wrong (" + name(certificate) + ")");
			}
			if (now.isBefore(begin)) {
				return failure("ServerCertificateNotYetValid", "is not valid before " + begin
						+ "; set the clock of this machine or of the server (" + name(certificate) + ")");
			}
		}
		return !isUnknown(refusal) ? unsuitable(refusal)
				: failure("UntrustedServerCertificate", "is not from an authority that is trusted here (" + this.source
						+ "); have its authority trusted with 'reflector.api-server.ssl-bundle', or with "
						+ "certificate-authority in a kubeconfig, or check that this is the right server. It is "
						+ issuer(chain) + "; trusted: " + names(trust.getAcceptedIssuers()));
	}

	/**
	 * Returns whether the authority of the certificate is unknown. The result is also
	 * {@code true} for an invalid signature: a trusted authority then has the same name
	 * as the unknown one, but another key.
	 */
	private static boolean isUnknown(CertificateException refusal) {
		for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
			boolean wrongKey = cause instanceof CertPathValidatorException validation
					&& validation.getReason() == BasicReason.INVALID_SIGNATURE;
			if (wrongKey || cause instanceof CertPathBuilderException) {
				return true;
			}
		}
		return false;
	}

	private ServerCertificateException unsuitable(CertificateException refusal) {
		return failure("UnsuitableServerCertificate",
				"is not accepted: " + refusal.getMessage() + "; have one that suits a server issued for it");
	}

	private ServerCertificateException failure(String reason, String what) {
		return new ServerCertificateException(reason, "the certificate of " + this.url + " " + what);
	}

	private static String name(X509Certificate certificate) {
		return certificate.getSubjectX500Principal().getName();
	}

	private static String issuer(X509Certificate[] chain) {
		String issuer = chain[chain.length - 1].getIssuerX500Principal().getName();
		return ((chain.length == 1 && issuer.equals(name(chain[0]))) ? "self-signed by " : "from ") + issuer;
	}

	private static String names(X509Certificate[] authorities) {
		if (authorities.length > MAX_NAMES) {
			return authorities.length + " authorities";
		}
		return (authorities.length == 0) ? "none"
				: Arrays.stream(authorities).map(ServerCertificateAdvice::name).collect(Collectors.joining(" / "));
	}

}
