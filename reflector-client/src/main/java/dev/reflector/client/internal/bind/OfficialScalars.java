package dev.reflector.client.internal.bind;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.UndeclaredThrowableException;
import java.math.BigDecimal;

import org.jspecify.annotations.Nullable;

/**
 * Writes {@code IntOrString} and {@code Quantity} of the official Java client. That
 * client writes them with another library than Jackson, which reads them, but fails to
 * write them. They are found by their names, as that client is no dependency.
 */
final class OfficialScalars {

	private static final String PACKAGE = "io.kubernetes.client.custom.";

	private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

	private OfficialScalars() {
	}

	/**
	 * Finds the writer of a type.
	 * @param type the type
	 * @return the writer, {@code null} for all other types
	 */
	static @Nullable ValueWriter find(Class<?> type) {
		try {
			if (type.getName().equals(PACKAGE + "IntOrString")) {
				return intOrString(type);
			}
			return type.getName().equals(PACKAGE + "Quantity") ? quantity(type) : null;
		}
		catch (NoSuchMethodException ex) {
			// another version of that client
			return null;
		}
	}

	private static @Nullable ValueWriter intOrString(Class<?> type) throws NoSuchMethodException {
		MethodHandle isInteger = ComponentAccess.handle(type.getMethod("isInteger"));
		MethodHandle number = ComponentAccess.handle(type.getMethod("getIntValue"));
		MethodHandle text = ComponentAccess.handle(type.getMethod("getStrValue"));
		return (isInteger == null || number == null || text == null) ? null : (value, out, context) -> {
			if (Boolean.TRUE.equals(get(isInteger, value))) {
				out.writeNumber((Integer) get(number, value));
			}
			else {
				out.writeString((String) get(text, value));
			}
		};
	}

	private static @Nullable ValueWriter quantity(Class<?> type) throws NoSuchMethodException {
		MethodHandle number = ComponentAccess.handle(type.getMethod("getNumber"));
		MethodHandle format = ComponentAccess.handle(type.getMethod("getFormat"));
		return (number == null || format == null) ? null : (value, out, context) -> out
			.writeString(text((BigDecimal) get(number, value), String.valueOf(get(format, value))));
	}

	/** All digits of a quantity, with a suffix that says its format. */
	private static String text(BigDecimal number, String format) {
		return switch (format) {
			case "BINARY_SI" -> number.divide(KIBI).toPlainString() + "Ki";
			case "DECIMAL_EXPONENT" -> number.toPlainString() + "e0";
			default -> number.toPlainString();
		};
	}

	private static Object get(MethodHandle getter, Object from) {
		try {
			return (Object) getter.invokeExact(from);
		}
		catch (RuntimeException | Error ex) {
			throw ex;
		}
		catch (Throwable ex) {
			throw new UndeclaredThrowableException(ex);
		}
	}

}
