package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

/**
 * A field of a message, and what becomes of it in JSON.
 *
 * @param number its number in protobuf
 * @param name its name in JSON, empty for a message whose fields are those of the object
 * around it
 * @param many how often it comes
 * @param zero what JSON has where the field is zero or does not come
 * @param kind its type
 * @param message name of its message, {@code null} when the kind is another
 */
record Field(int number, String name, Many many, Zero zero, Kind kind, @Nullable String message) {

	boolean isInline() {
		return this.name.isEmpty();
	}

	/** How often a field comes. */
	enum Many {

		ONE, LIST, MAP

	}

	/** What JSON has in place of nothing. */
	enum Zero {

		/** A zero is written, and nothing for a field that does not come. */
		WRITTEN,

		/** A zero is left out. */
		OMITTED,

		/** A field that does not come is null. */
		NULL

	}

	/** The types of values. */
	enum Kind {

		STRING, BOOL, INT, LONG, DOUBLE, BYTES, TIME, MICRO_TIME, QUANTITY, INT_OR_STRING,

		/** A message that holds JSON text. */
		JSON, MESSAGE;

		/**
		 * Whether values have no length, so that several may come in one field without
		 * tags.
		 */
		boolean isNumber() {
			return this == BOOL || this == INT || this == LONG || this == DOUBLE;
		}

	}

}
