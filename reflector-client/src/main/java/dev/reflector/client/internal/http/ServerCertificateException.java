package dev.reflector.client.internal.http;

import java.security.cert.CertificateException;

/**
 * Thrown when the certificate of a server is not accepted. The message says why, and what
 * to do. The HTTP client logs the exception with each attempt, so the exception has
 * neither a stack trace nor a cause.
 */
final class ServerCertificateException extends CertificateException {

	private final String reason;

	ServerCertificateException(String reason, String message) {
		super(message);
		this.reason = reason;
	}

	/**
	 * Returns the reason, such as {@code WrongHostName}.
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
