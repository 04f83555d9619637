package dev.reflector.autoconfigure.internal.registration;

import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;

/**
 * The name of a reflector, and what declares the reflector.
 *
 * @param name the name
 * @param description what declares the reflector, for messages
 */
public record ReflectorOwner(String name, String description) {

	/**
	 * Returns an exception that says that two reflectors have the same name. Names must
	 * differ, because settings, health and meters use names as keys.
	 * @param other the other reflector
	 * @return the exception to throw
	 */
	public ReflectorConfigurationException clashesWith(ReflectorOwner other) {
		if (this.name.equals(other.name)) {
			return new ReflectorConfigurationException(
					"The reflectors of " + this.description + " and " + other.description + " have the same name '"
							+ this.name + "'.",
					"Give one of them another name with the attribute 'name' of @ReflectedResource, or with 'withName' of "
							+ "its registration, or where the application makes it.");
		}
		return new ReflectorConfigurationException("The reflectors '" + this.name + "' of " + this.description
				+ " and '" + other.name + "' of " + other.description
				+ " share the settings below 'reflector.resources': their names differ only in case, dashes, "
				+ "dots or underscores.", "Give one of them a name that differs in letters or digits.");
	}

}
