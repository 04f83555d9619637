package dev.reflector.client.internal.bind;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;

/**
 * The place where a type is used in another type.
 *
 * @param type the type
 * @param property the component that has the type, or {@code null} for a whole object
 * @param container the container whose elements have the type, or {@code null} for none
 * @param path the names of the components from the whole object to this place, separated
 * by dots
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

	/**
	 * Returns the name of the place for messages: its path or, for a whole object, its
	 * type.
	 */
	String described() {
		return this.path.isEmpty() ? this.type.getRawClass().getName() : "'" + this.path + "'";
	}

}
