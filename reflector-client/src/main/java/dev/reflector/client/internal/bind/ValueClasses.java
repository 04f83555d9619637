package dev.reflector.client.internal.bind;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;

/**
 * Recognizes value classes of Kotlin. Their JSON is that of their one value, which a
 * field has without the class around it where Kotlin can do without.
 */
final class ValueClasses {

	private ValueClasses() {
	}

	/**
	 * How Kotlin takes the value out of an object of a value class.
	 * @param type the class
	 * @return the method, {@code null} for all other classes
	 */
	static @Nullable Method unboxing(Class<?> type) {
		if (!KotlinDetector.isKotlinType(type)) {
			return null;
		}
		try {
			return type.getDeclaredMethod("unbox-impl");
		}
		catch (NoSuchMethodException ex) {
			return null;
		}
	}

}
