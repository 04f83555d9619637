package dev.reflector.client.internal.cbor;

import java.math.BigInteger;

import org.jspecify.annotations.Nullable;

/** Writes CBOR numbers, booleans and null in the form that API servers use in JSON. */
final class CborScalar {

	/**
	 * The limit for whole floating-point numbers: below it, they are exact and written
	 * without an exponent.
	 */
	private static final double MAX_WHOLE = 1e15;

	private static final int FALSE = 20;

	private static final int TRUE = 21;

	private static final int NULL = 22;

	private static final int UNDEFINED = 23;

	private CborScalar() {
	}

	/**
	 * Returns the JSON of a value that is neither a string, an array, a map nor a tag.
	 * @param head the head that contains the value
	 * @return the JSON text, or {@code null} if JSON has no such value
	 */
	static @Nullable String json(CborHead head) {
		long value = head.value();
		return switch (head.type()) {
			case CborHead.UNSIGNED -> Long.toUnsignedString(value);
			case CborHead.NEGATIVE ->
				(value >= 0) ? Long.toString(~value) : new BigInteger(Long.toUnsignedString(value)).not().toString();
			default -> switch (head.floatSize()) {
				case Short.BYTES -> floatingPoint(half((int) value));
				case Float.BYTES -> floatingPoint(Float.intBitsToFloat((int) value));
				case Double.BYTES -> floatingPoint(Double.longBitsToDouble(value));
				default -> simple((int) value);
			};
		};
	}

	private static @Nullable String simple(int value) {
		return switch (value) {
			case FALSE -> "false";
			case TRUE -> "true";
			case NULL, UNDEFINED -> "null";
			default -> null;
		};
	}

	private static @Nullable String floatingPoint(double value) {
		if (Double.isNaN(value) || Double.isInfinite(value)) {
			return null;
		}
		boolean whole = value == Math.rint(value) && Math.abs(value) < MAX_WHOLE;
		return whole ? Long.toString((long) value) : Double.toString(value);
	}

	/** Converts an IEEE 754 binary16 number. */
	private static double half(int bits) {
		int exponent = (bits >> 10) & 0x1f;
		int fraction = bits & 0x3ff;
		double size;
		if (exponent == 0x1f) {
			size = (fraction == 0) ? Double.POSITIVE_INFINITY : Double.NaN;
		}
		else {
			size = (exponent == 0) ? Math.scalb((double) fraction, -24)
					: Math.scalb((double) (fraction + 0x400), exponent - 25);
		}
		return ((bits & 0x8000) != 0) ? -size : size;
	}

}
