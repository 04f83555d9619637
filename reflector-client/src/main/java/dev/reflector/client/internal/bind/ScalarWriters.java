package dev.reflector.client.internal.bind;

import java.io.File;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.Calendar;
import java.util.Date;
import java.util.UUID;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.Base64Variant;
import tools.jackson.core.JsonGenerator;

/**
 * Writers of strings, numbers, times and similar values. Jackson's deserializers of these
 * types read the written form with any settings.
 */
final class ScalarWriters {

	private static final ValueWriter TEXT = (value, out, context) -> out.writeString(value.toString());

	private static final ValueWriter VALUE = (value, out, context) -> {
		if (!write(value, out)) {
			throw new IllegalArgumentException("not a plain value: " + value.getClass().getName());
		}
	};

	private ScalarWriters() {
	}

	/**
	 * Finds the writer of a type.
	 * @param type the type
	 * @param base64 the form of Base64 in which the reader expects bytes
	 * @return the writer, or {@code null} if Jackson's own serializer must be used
	 */
	static @Nullable ValueWriter find(Class<?> type, Base64Variant base64) {
		if (type == String.class) {
			return (value, out, context) -> out.writeString((String) value);
		}
		if (CharSequence.class.isAssignableFrom(type) || type == File.class || Path.class.isAssignableFrom(type)
				|| type == UUID.class || isTime(type)) {
			return TEXT;
		}
		if (type == byte[].class) {
			return (value, out, context) -> out.writeBinary(base64, (byte[]) value, 0, ((byte[]) value).length);
		}
		if (type == char[].class) {
			return (value, out, context) -> out.writeString(new String((char[]) value));
		}
		if (Date.class.isAssignableFrom(type)) {
			// the application may have its own date format, but milliseconds are read
			// with every format
			return (value, out, context) -> out.writeNumber(((Date) value).getTime());
		}
		if (Calendar.class.isAssignableFrom(type)) {
			return (value, out, context) -> out.writeNumber(((Calendar) value).getTimeInMillis());
		}
		return isPlain(type) ? VALUE : null;
	}

	/**
	 * Returns whether a type is a time that is written with {@code toString()}, in the
	 * format of ISO 8601.
	 */
	static boolean isTime(Class<?> type) {
		return type.getName().startsWith("java.time.") && !type.isEnum()
				&& (TemporalAccessor.class.isAssignableFrom(type) || TemporalAmount.class.isAssignableFrom(type)
						|| java.time.ZoneId.class.isAssignableFrom(type));
	}

	/** Returns whether values of a type are strings, numbers or booleans in JSON. */
	static boolean isPlain(Class<?> type) {
		return type.isPrimitive() || type == String.class || type == Number.class || type == Boolean.class
				|| type == Character.class || type == BigDecimal.class || type == BigInteger.class
				|| (Number.class.isAssignableFrom(type) && type.getName().startsWith("java.lang."));
	}

	/**
	 * Writes a string, a number or a boolean.
	 * @param value the value
	 * @param out receives the value
	 * @return whether the value is a string, a number or a boolean, and was written
	 */
	static boolean write(Object value, JsonGenerator out) {
		if (value instanceof String text) {
			out.writeString(text);
		}
		else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
			out.writeNumber(((Number) value).intValue());
		}
		else if (value instanceof Long number) {
			out.writeNumber(number);
		}
		else if (value instanceof Boolean flag) {
			out.writeBoolean(flag);
		}
		else if (value instanceof Double number) {
			out.writeNumber(number);
		}
		else if (value instanceof Float number) {
			out.writeNumber(number);
		}
		else if (value instanceof BigDecimal number) {
			out.writeNumber(number);
		}
		else if (value instanceof BigInteger number) {
			out.writeNumber(number);
		}
		else if (value instanceof Character character) {
			out.writeString(character.toString());
		}
		else {
			return false;
		}
		return true;
	}

}
