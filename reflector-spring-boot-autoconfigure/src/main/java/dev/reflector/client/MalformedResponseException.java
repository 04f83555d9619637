package dev.reflector.client;

import java.io.IOException;

/**
 * The server answered with success, but with bytes that are not what was asked for, or
 * with too few of them.
 */
final class MalformedResponseException extends IOException {

	MalformedResponseException(String message) {
		super(message);
	}

}
