package dev.reflector.console;

import java.util.List;
import java.util.function.Supplier;

import dev.reflector.PrintableText;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.util.function.SingletonSupplier;

/**
 * Hides what the sanitizing functions of the application hide. They get messages and keys
 * of objects under the same keys as in the endpoint: {@code reflectors.NAME.message} and
 * {@code reflectors.NAME.object}, and what is in an object under
 * {@code reflectors.NAME.object.FIELD}.
 */
final class Masking {

	private final Supplier<Sanitizer> sanitizer;

	Masking(Supplier<List<SanitizingFunction>> functions) {
		this.sanitizer = SingletonSupplier.of(() -> new Sanitizer(functions.get()));
	}

	Sanitizer sanitizer() {
		return this.sanitizer.get();
	}

	String message(String reflector, String message) {
		return message.isEmpty() ? message : sanitize(reflector, "message", PrintableText.of(message));
	}

	String value(String reflector, String field, String value) {
		return sanitize(reflector, "object." + field, value);
	}

	private String sanitize(String reflector, String kind, String value) {
		SanitizableData data = new SanitizableData(null, "reflectors." + reflector + "." + kind, value);
		return String.valueOf(this.sanitizer.get().sanitize(data, true));
	}

}
