package dev.reflector.autoconfigure.internal;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when the setup of the application is wrong. The exception says how to correct
 * the setup.
 */
public final class ReflectorConfigurationException extends RuntimeException {

	private final String action;

	public ReflectorConfigurationException(String message, String action, @Nullable Throwable cause) {
		super(message, cause);
		this.action = action;
	}

	public ReflectorConfigurationException(String message, String action) {
		this(message, action, null);
	}

	public String action() {
		return this.action;
	}

}
