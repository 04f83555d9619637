package dev.reflector.autoconfigure.registration;

import java.util.Locale;
import java.util.stream.Stream;

import dev.reflector.Reflector;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Rules for the names of reflectors in properties and beans.
 *
 * @since 0.1.0
 */
public final class ReflectorNaming {

	private ReflectorNaming() {
	}

	/**
	 * Whether a reflector has a name. Only a mock that replaces a reflector in a test has
	 * none; there is nothing to show, measure or publish of a mock.
	 * @param reflector the reflector
	 * @return whether it has a name
	 */
	@SuppressWarnings("ConstantValue")
	public static boolean isNamed(Reflector<?> reflector) {
		return reflector.name() != null;
	}

	/**
	 * Returns the reflectors that have a name.
	 * @param reflectors supplies the reflectors of a context and its parents
	 * @return the reflectors, without mocks
	 */
	public static Stream<Reflector<?>> named(ObjectProvider<Reflector<?>> reflectors) {
		return reflectors.stream().filter(ReflectorNaming::isNamed);
	}

	/**
	 * Whether a key in properties stands for a reflector's name. Case and all characters
	 * except letters and digits are ignored, because environment variables have neither
	 * dashes nor lower case letters.
	 * @param key the key
	 * @param name name of the reflector
	 * @return whether key and name are the same under this rule
	 */
	public static boolean isSame(String key, String name) {
		return uniform(key).equals(uniform(name));
	}

	/**
	 * Returns the letters and digits of a name in lower case. All spellings of a name
	 * have the same result.
	 * @param name the name
	 * @return the uniform name
	 */
	public static String uniform(String name) {
		String letters = name.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
		// a name without any Latin letter or digit is returned unchanged
		return letters.isEmpty() ? name : letters;
	}

}
