package dev.reflector.client.internal.bind;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;

/**
 * Where a type is used in another one.
 *
 * @param type the type
 * @param property the component, {@code null} for a whole object
 * @param container the container of which it is an element, {@code null} when it is none
 * @param path the names of the components that lead there
 */
record Place(JavaType type, @Nullable BeanProperty property, @Nullable JavaType container, String path) {

	static Place root(JavaType type) {
		return new Place(type, null, null, "");
	}

	Place component(BeanProperty component) {
		return new Place(component.getType(), component, null,
				this.path.isEmpty() ? component.getName() : this.path + "." + component.getName());
	}

	Place element(JavaType element) {
		return new Place(element, this.property, this.type, this.path);
	}

	/** The component of a type, for messages. */
	String described() {
		return this.path.isEmpty() ? this.type.getRawClass().getName() : "'" + this.path + "'";
	}

}
