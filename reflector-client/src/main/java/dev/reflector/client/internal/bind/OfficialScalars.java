package dev.reflector.client.internal.bind;

import java.math.BigDecimal;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Writes {@code IntOrString} and {@code Quantity} of the official Java client. Jackson
 * can read these types but not write them, because the official client writes them with
 * another library. The types are found by name, because the official client is not a
 * dependency.
 */
final class OfficialScalars {

	private static final String PACKAGE = "io.kubernetes.client.custom.";

	private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

	private OfficialScalars() {
	}

	/**
	 * Finds the writer of a type.
	 * @param type the type
	 * @return the writer, or {@code null} for all other types
	 */
	static @Nullable ValueWriter find(Class<?> type) {
		try {
			if (type.getName().equals(PACKAGE + "IntOrString")) {
				return intOrString(type);
			}
			return type.getName().equals(PACKAGE + "Quantity") ? quantity(type) : null;
		}
		catch (NoSuchMethodException ex) {
			// a version of the official client without these methods
			return null;
		}
	}

	private static @Nullable ValueWriter intOrString(Class<?> type) throws NoSuchMethodException {
		ComponentAccess.Way isInteger = ComponentAccess.handle(type.getMethod("isInteger"));
		ComponentAccess.Way number = ComponentAccess.handle(type.getMethod("getIntValue"));
		ComponentAccess.Way text = ComponentAccess.handle(type.getMethod("getStrValue"));
		return (isInteger == null || number == null || text == null) ? null : (value, out, context) -> {
			if (Boolean.TRUE.equals(isInteger.get(value))) {
				out.writeNumber((Integer) Objects.requireNonNull(number.get(value)));
			}
			else {
				out.writeString((String) text.get(value));
			}
		};
	}

	private static @Nullable ValueWriter quantity(Class<?> type) throws NoSuchMethodException {
		ComponentAccess.Way number = ComponentAccess.handle(type.getMethod("getNumber"));
		ComponentAccess.Way format = ComponentAccess.handle(type.getMethod("getFormat"));
		return (number == null || format == null) ? null : (value, out, context) -> out.writeString(
				text((BigDecimal) Objects.requireNonNull(number.get(value)), String.valueOf(format.get(value))));
	}

	/** Returns all digits of a quantity, with the suffix of its format. */
	private static String text(BigDecimal number, String format) {
		return switch (format) {
			case "BINARY_SI" -> number.divide(KIBI).toPlainString() + "Ki";
			case "DECIMAL_EXPONENT" -> number.toPlainString() + "e0";
			default -> number.toPlainString();
		};
	}

}
