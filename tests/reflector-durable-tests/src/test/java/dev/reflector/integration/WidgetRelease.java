package dev.reflector.integration;

import dev.reflector.ObjectMeta;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;

/**
 * The widgets as releases of an application declare them, one after the other.
 */
sealed interface WidgetRelease {

	/** The colour that a release does not know. */
	String UNKNOWN_COLOUR = "MAUVE";

	ObjectMeta metadata();

	/**
	 * The first declaration.
	 */
	record First(ObjectMeta metadata, Spec spec) implements WidgetRelease {

		record Spec(int size, String colour) {
		}

	}

	/**
	 * A component was added.
	 */
	record Wider(ObjectMeta metadata, Spec spec) implements WidgetRelease {

		record Spec(int size, String colour, String note) {
		}

	}

	/**
	 * A type was changed: the colour is not any text, and what is stored with another
	 * colour cannot be read.
	 */
	record Stricter(ObjectMeta metadata, Spec spec) implements WidgetRelease {

		record Spec(int size, Colour colour) {
		}

		enum Colour {

			RED, GREEN

		}

	}

	/**
	 * The releases.
	 */
	enum Name {

		FIRST(First.class), WIDER(Wider.class), STRICTER(Stricter.class);

		private final Class<? extends WidgetRelease> type;

		Name(Class<? extends WidgetRelease> type) {
			this.type = type;
		}

		ReflectedResourceRegistration<?> registration() {
			return ReflectedResourceRegistration.of(this.type, "example.com/v1", "Widget");
		}

	}

}
