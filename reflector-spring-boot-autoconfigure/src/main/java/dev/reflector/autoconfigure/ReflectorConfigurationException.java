package dev.reflector.autoconfigure;

import org.jspecify.annotations.Nullable;

/**
 * The application is set up in a way that no reflector can work with.
 */
final class ReflectorConfigurationException extends RuntimeException {

	private final String action;

	ReflectorConfigurationException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	ReflectorConfigurationException(String message, String action) {
		this(message, action, null);
	}

	String action() {
		return this.action;
	}

}
