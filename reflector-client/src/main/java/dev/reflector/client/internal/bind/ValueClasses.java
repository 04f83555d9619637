package dev.reflector.client.internal.bind;

import java.lang.reflect.Method;

import org.jspecify.annotations.Nullable;

import org.springframework.core.KotlinDetector;

/**
 * Recognizes value classes of Kotlin. The JSON of such a class is the JSON of its single
 * value. Where Kotlin needs no object of the class at run time, a Java field of this type
 * contains only the single value.
 */
final class ValueClasses {

	private ValueClasses() {
	}

	/**
	 * Returns the method that returns the single value of an object of a value class.
	 * @param type the class
	 * @return the method, or {@code null} if the class is no value class
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
