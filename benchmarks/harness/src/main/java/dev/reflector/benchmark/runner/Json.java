package dev.reflector.benchmark.runner;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * Writes maps, texts, numbers and truth values as JSON.
 */
final class Json {

	private static final MathContext DIGITS = new MathContext(5);

	private final StringBuilder text = new StringBuilder();

	private Json() {
	}

	static String of(Map<String, ?> object) {
		Json json = new Json();
		json.object(object, "");
		return json.text.append('\n').toString();
	}

	static String number(double value) {
		return (Double.isNaN(value) || Double.isInfinite(value)) ? "null"
				: new BigDecimal(value).round(DIGITS).stripTrailingZeros().toPlainString();
	}

	private void object(Map<?, ?> object, String indent) {
		String inner = indent + "  ";
		this.text.append("{");
		for (Iterator<? extends Map.Entry<?, ?>> entries = object.entrySet().iterator(); entries.hasNext();) {
			Map.Entry<?, ?> entry = entries.next();
			this.text.append('\n').append(inner).append('"').append(entry.getKey()).append("\": ");
			value(entry.getValue(), inner);
			this.text.append(entries.hasNext() ? "," : "\n" + indent);
		}
		this.text.append("}");
	}

	private void value(Object value, String indent) {
		if (value instanceof Map<?, ?> map) {
			object(map, indent);
		}
		else if (value instanceof Number number) {
			this.text.append(number(number.doubleValue()));
		}
		else if (value instanceof Boolean) {
			this.text.append(value);
		}
		else if (value instanceof List<?> list) {
			this.text.append('[');
			for (int i = 0; i < list.size(); i++) {
				this.text.append((i > 0) ? ", " : "");
				value(list.get(i), indent);
			}
			this.text.append(']');
		}
		else {
			this.text.append('"').append(value.toString().replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
		}
	}

}
