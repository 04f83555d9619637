package dev.reflector.client.internal.http;

import java.security.cert.CertificateException;

/**
 * The certificate of a server is not accepted. The message says why, and what to do. The
 * HTTP client logs it with each attempt, so it is kept short: it has neither a stack
 * trace nor a cause.
 */
final class ServerCertificateException extends CertificateException {

	private final String reason;

	ServerCertificateException(String reason, String message) {
		super(message);
		this.reason = reason;
	}

	/**
	 * What is wrong.
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
