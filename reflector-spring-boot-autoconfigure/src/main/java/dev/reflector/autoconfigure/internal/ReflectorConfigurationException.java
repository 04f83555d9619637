package dev.reflector.autoconfigure.internal;

import org.jspecify.annotations.Nullable;

/**
 * The setup of the application is wrong. Names what to do about it.
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
