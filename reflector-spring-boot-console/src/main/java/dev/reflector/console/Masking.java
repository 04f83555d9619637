package dev.reflector.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import dev.reflector.PrintableText;
import dev.reflector.ResourceKey;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.util.function.SingletonSupplier;

/**
 * Hides values with the sanitizing functions of the application. The functions get a
 * message as {@code reflectors.NAME.message}, and the name of an object as
 * {@code reflectors.NAME.object}, as they do from the endpoint. They get a field of an
 * object as {@code reflectors.NAME.object.FIELD}.
 */
final class Masking {

	private final Supplier<List<SanitizingFunction>> functions;

	private final Supplier<Sanitizer> sanitizer;

	Masking(Supplier<List<SanitizingFunction>> functions) {
		this.functions = SingletonSupplier.of(functions);
		this.sanitizer = SingletonSupplier.of(() -> new Sanitizer(this.functions.get()));
	}

	Sanitizer sanitizer() {
		return this.sanitizer.get();
	}

	String message(String reflector, String message) {
		return message.isEmpty() ? message : sanitize(reflector, "message", PrintableText.of(message));
	}

	/**
	 * Returns a value as the console shows it.
	 * @param reflector name of the reflector
	 * @param field the field, with dots between names
	 * @param value a text, number or boolean
	 * @return the value, or a replacement if it is hidden
	 */
	Object value(String reflector, String field, Object value) {
		return this.functions.get().isEmpty() ? value : sanitized(reflector, "object." + field, value);
	}

	/**
	 * Returns a key as the console shows it. A hidden key has no namespace.
	 */
	ResourceKey key(String reflector, ResourceKey key) {
		if (this.functions.get().isEmpty()) {
			return key;
		}
		String shown = sanitize(reflector, "object", key.toString());
		return !shown.equals(key.toString()) ? ResourceKey.of("", shown)
				: ResourceKey.of(String.valueOf(value(reflector, "metadata.namespace", key.namespace())),
						String.valueOf(value(reflector, "metadata.name", key.name())));
	}

	/** Returns labels as the console shows them. */
	Map<String, String> labels(String reflector, Map<String, String> labels) {
		if (this.functions.get().isEmpty()) {
			return labels;
		}
		Map<String, String> shown = new LinkedHashMap<>(labels);
		shown.replaceAll((name, value) -> String.valueOf(value(reflector, "metadata.labels." + name, value)));
		return shown.equals(labels) ? labels : shown;
	}

	private String sanitize(String reflector, String kind, String value) {
		return String.valueOf(sanitized(reflector, kind, value));
	}

	private Object sanitized(String reflector, String kind, Object value) {
		SanitizableData data = new SanitizableData(null, "reflectors." + reflector + "." + kind, value);
		return Objects.requireNonNullElse(this.sanitizer.get().sanitize(data, true), "");
	}

}
