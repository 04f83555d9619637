package dev.reflector.client.internal.bind;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.deser.ValueInstantiator;

/** Recognizes deserializers and other parts of Jackson whose behavior is known. */
final class KnownParts {

	private KnownParts() {
	}

	/** Returns whether a part belongs to Jackson or to this package. */
	static boolean isKnown(Object part) {
		String name = part.getClass().getName();
		return name.startsWith("tools.jackson.") || part.getClass().getPackage() == KnownParts.class.getPackage();
	}

	/**
	 * Returns whether a collection is created empty, and its elements are then added one
	 * by one.
	 */
	static boolean beginsEmpty(@Nullable ValueInstantiator instantiator) {
		return instantiator != null && instantiator.canCreateUsingDefault() && !instantiator.canCreateFromObjectWith()
				&& !instantiator.canCreateUsingDelegate() && !instantiator.canCreateUsingArrayDelegate();
	}

	/**
	 * Returns whether all values of a type are read as this type, and not as subtypes.
	 */
	static boolean isOneType(@Nullable JavaType type, DeserializationContext context) {
		return type != null && !type.hasHandlers() && context.findTypeDeserializer(type) == null;
	}

}
