package dev.reflector.client.internal.http;

import java.security.cert.CertificateException;

/**
 * Thrown when the certificate of a server is not accepted. The message says why it is not
 * accepted and what to do. The HTTP client logs the exception with each attempt, so it
 * has neither a stack trace nor a cause.
 */
final class ServerCertificateException extends CertificateException {

	private final String reason;

	ServerCertificateException(String reason, String message) {
		super(message);
		this.reason = reason;
	}

	/**
	 * The reason.
	 * @return one word from a small set
	 */
	String reason() {
		return this.reason;
	}

	@Override
	public synchronized Throwable fillInStackTrace() {
		return this;
	}

}
