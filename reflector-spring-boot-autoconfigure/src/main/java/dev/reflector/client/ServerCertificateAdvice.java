package dev.reflector.client;

import java.net.URI;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

import javax.net.ssl.X509TrustManager;

import org.jspecify.annotations.Nullable;

/**
 * Finds out why the certificate of a server was not accepted, by looking at it and not by
 * what the JDK says, and says what to do about it.
 *
 * @param url the server
 * @param serverName the name its certificate must be valid for
 * @param source where it stands whom to trust
 */
record ServerCertificateAdvice(URI url, String serverName, SslSource source) {

	private static final int MAX_NAMES = 5;

	/** Types of subject alternative names (RFC 5280). */
	private static final List<Integer> DNS_OR_ADDRESS = List.of(2, 7);

	ServerCertificateAdvice(URI url, @Nullable String serverName, SslSource source) {
		this.url = url;
		this.serverName = (serverName != null) ? serverName : url.getHost().replaceAll("[\\[\\]]", "");
		this.source = source;
	}

	/**
	 * Explains why it was not accepted.
	 * @param chain the certificate of the server and those that are to vouch for it
	 * @param authType the kind of key exchange
	 * @param trust whom to trust; was asked before
	 * @param now the time
	 * @param refusal what was found before
	 * @return the explanation
	 */
	ServerCertificateException explain(X509Certificate[] chain, String authType, X509TrustManager trust, Instant now,
			CertificateException refusal) {
		for (X509Certificate certificate : chain) {
			if (now.isAfter(certificate.getNotAfter().toInstant())) {
				return failure("ServerCertificateExpired",
						"has expired: " + name(certificate) + " was valid until "
								+ certificate.getNotAfter().toInstant(),
						"have it renewed on the server, or set the clock of this machine if it is wrong", refusal);
			}
			if (now.isBefore(certificate.getNotBefore().toInstant())) {
				return failure("ServerCertificateNotYetValid",
						"is not valid yet: " + name(certificate) + " begins at "
								+ certificate.getNotBefore().toInstant(),
						"set the clock of this machine or of the server", refusal);
			}
		}
		X509Certificate own = chain[0];
		try {
			trust.checkServerTrusted(chain, authType);
		}
		catch (CertificateException ex) {
			return isUntrusted(ex) ? untrusted(own, trust, refusal) : failure("ServerCertificate",
					"is not accepted: " + ex.getMessage(), "have one that suits a server issued for it", refusal);
		}
		return failure("WrongHostName", "is not valid for the host '" + this.serverName + "', but for " + hosts(own),
				"use one of its names in the URL, set tls-server-name in the kubeconfig, or have a certificate "
						+ "with this name issued",
				refusal);
	}

	/** Another key of an authority with the same name leads to a signature that fails. */
	private static boolean isUntrusted(CertificateException refusal) {
		for (Throwable cause = refusal; cause != null; cause = cause.getCause()) {
			boolean wrongKey = cause instanceof CertPathValidatorException validation
					&& validation.getReason() == BasicReason.INVALID_SIGNATURE;
			if (wrongKey || cause instanceof CertPathBuilderException) {
				return true;
			}
		}
		return false;
	}

	private ServerCertificateException untrusted(X509Certificate own, X509TrustManager trust,
			CertificateException refusal) {
		return failure("UntrustedServerCertificate",
				"was not issued by an authority that is trusted here: it is issued by "
						+ own.getIssuerX500Principal().getName() + ", and trusted is "
						+ names(trust.getAcceptedIssuers()),
				"correct the certificate authority (" + this.source + "), or check that this is the right server",
				refusal);
	}

	private ServerCertificateException failure(String reason, String what, String remedy, CertificateException cause) {
		return new ServerCertificateException(reason, "the certificate of " + this.url + " " + what + "; " + remedy,
				cause);
	}

	private static String name(X509Certificate certificate) {
		return certificate.getSubjectX500Principal().getName();
	}

	private static String names(X509Certificate[] authorities) {
		String names = Arrays.stream(authorities)
			.limit(MAX_NAMES)
			.map(ServerCertificateAdvice::name)
			.collect(Collectors.joining(" / "));
		int more = authorities.length - MAX_NAMES;
		return names.isEmpty() ? "none" : names + ((more > 0) ? " and " + more + " more" : "");
	}

	private static String hosts(X509Certificate certificate) {
		try {
			Collection<List<?>> names = certificate.getSubjectAlternativeNames();
			String hosts = (names == null) ? ""
					: names.stream()
						.filter((name) -> DNS_OR_ADDRESS.contains(name.get(0)))
						.map((name) -> String.valueOf(name.get(1)))
						.limit(20)
						.collect(Collectors.joining(", "));
			return hosts.isEmpty() ? "no host at all" : hosts;
		}
		catch (CertificateParsingException ex) {
			return "names that cannot be read";
		}
	}

}
