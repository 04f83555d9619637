package dev.reflector.client.internal.http;

import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Reads the host names and addresses of a server certificate. */
final class HostNames {

	/**
	 * The types of subject alternative names that are DNS names or IP addresses (RFC
	 * 5280).
	 */
	private static final List<Integer> DNS_OR_ADDRESS = List.of(2, 7);

	private HostNames() {
	}

	/**
	 * Returns the names of a certificate.
	 * @param certificate the certificate
	 * @return its subject alternative names; empty if they cannot be read
	 */
	static List<String> of(X509Certificate certificate) {
		try {
			Collection<List<?>> names = certificate.getSubjectAlternativeNames();
			return (names == null) ? List.of()
					: names.stream()
						.filter((name) -> DNS_OR_ADDRESS.contains(name.get(0)))
						.map((name) -> String.valueOf(name.get(1)))
						.toList();
		}
		catch (CertificateParsingException ex) {
			return List.of();
		}
	}

	/**
	 * Returns whether a certificate is valid for a host. A wildcard stands for the whole
	 * first label (RFC 9525).
	 * @param certificate the certificate
	 * @param host the name of the host
	 * @return {@code true} if the certificate is valid for the host
	 */
	static boolean match(X509Certificate certificate, String host) {
		String wanted = host.toLowerCase(Locale.ROOT);
		int dot = wanted.indexOf('.');
		String wildcard = (dot > 0) ? "*" + wanted.substring(dot) : wanted;
		return of(certificate).stream()
			.map((name) -> name.toLowerCase(Locale.ROOT))
			.anyMatch((name) -> name.equals(wanted) || name.equals(wildcard));
	}

}
