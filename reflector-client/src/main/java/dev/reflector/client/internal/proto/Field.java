package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

/**
 * A field of a message, and its form in JSON.
 *
 * @param number its number in protobuf
 * @param name its name in JSON, empty for a message whose fields are written into the
 * object around it
 * @param many how often it occurs
 * @param zero what JSON has if the field is zero or absent
 * @param kind its type
 * @param message name of its message, {@code null} for other kinds
 */
record Field(int number, String name, Many many, Zero zero, Kind kind, @Nullable String message) {

	boolean isInline() {
		return this.name.isEmpty();
	}

	/** How often a field occurs. */
	enum Many {

		ONE, LIST, MAP

	}

	/** What JSON has if a field is zero or absent. */
	enum Zero {

		/** A zero is written, and an absent field is left out. */
		WRITTEN,

		/** A zero is left out. */
		OMITTED,

		/** An absent field is written as null. */
		NULL

	}

	/** The types of values. */
	enum Kind {

		STRING, BOOL, INT, LONG, DOUBLE, BYTES, TIME, MICRO_TIME, QUANTITY, INT_OR_STRING,

		/** A message that contains JSON text. */
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
