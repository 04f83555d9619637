package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

/**
 * A field of a message, and its form in JSON.
 *
 * @param number the number of the field in protobuf
 * @param name the name of the property in JSON; empty for a message whose fields are
 * written into the surrounding JSON object
 * @param many whether the field is a single value, a list or a map
 * @param zero what is written in JSON if the field is zero or absent
 * @param kind the type of the values
 * @param message the name of the message if the kind is {@code MESSAGE}, otherwise
 * {@code null}
 */
record Field(int number, String name, Many many, Zero zero, Kind kind, @Nullable String message) {

	boolean isInline() {
		return this.name.isEmpty();
	}

	/** Whether a field is a single value, a list or a map. */
	enum Many {

		ONE, LIST, MAP

	}

	/** What is written in JSON if a field is zero or absent. */
	enum Zero {

		/** A zero is written, and an absent field is omitted. */
		WRITTEN,

		/** A zero and an absent field are omitted. */
		OMITTED,

		/** An absent field is written as null. */
		NULL

	}

	/** The types of values. */
	enum Kind {

		STRING, BOOL, INT, LONG, DOUBLE, BYTES, TIME, MICRO_TIME, QUANTITY, INT_OR_STRING,

		/** A message that contains a JSON text. */
		JSON, MESSAGE;

		/**
		 * Returns whether values have no length prefix, so that several values may be
		 * packed into one field.
		 */
		boolean isNumber() {
			return this == BOOL || this == INT || this == LONG || this == DOUBLE;
		}

	}

}
