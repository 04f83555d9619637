package dev.reflector.client;

import java.security.cert.CertificateException;

/**
 * The certificate of a server is not accepted. The message says why, and what to do.
 */
final class ServerCertificateException extends CertificateException {

	private final String reason;

	ServerCertificateException(String reason, String message, CertificateException cause) {
		super(message, cause);
		this.reason = reason;
	}

	/**
	 * What is wrong.
	 * @return one word from a small set
	 */
	String reason() {
		return this.reason;
	}

}
