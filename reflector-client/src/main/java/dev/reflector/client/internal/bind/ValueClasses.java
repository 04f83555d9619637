package dev.reflector.client.internal.bind;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;

/**
 * Recognizes value classes of Kotlin. Their JSON is that of their single value. Where
 * Kotlin does not need the class, a field contains only that value.
 */
final class ValueClasses {

	private ValueClasses() {
	}

	/**
	 * Returns the method with which Kotlin takes the value out of an object of a value
	 * class.
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
