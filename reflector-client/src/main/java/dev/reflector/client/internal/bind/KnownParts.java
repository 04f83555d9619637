package dev.reflector.client.internal.bind;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.deser.ValueInstantiator;

/**
 * Recognizes parts of Jackson deserializers whose behaviour is known here.
 */
final class KnownParts {

	private KnownParts() {
	}

	/** Whether a part is one of Jackson or of this package. */
	static boolean isKnown(Object part) {
		String name = part.getClass().getName();
		return name.startsWith("tools.jackson.") || part.getClass().getPackage() == KnownParts.class.getPackage();
	}

	/** Whether elements are added one by one to a collection that is empty at first. */
	static boolean beginsEmpty(@Nullable ValueInstantiator instantiator) {
		return instantiator != null && instantiator.canCreateUsingDefault() && !instantiator.canCreateFromObjectWith()
				&& !instantiator.canCreateUsingDelegate() && !instantiator.canCreateUsingArrayDelegate();
	}

	/** Whether values have no subtypes to choose from. */
	static boolean isOneType(@Nullable JavaType type, DeserializationContext context) {
		return type != null && !type.hasHandlers() && context.findTypeDeserializer(type) == null;
	}

}
