package dev.reflector.actuate.endpoint;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;

/**
 * Hides texts of a report that come from the server: messages, and names of objects. The
 * sanitizing functions of the application get each of them under the key
 * {@code reflectors.NAME.message} or {@code reflectors.NAME.object}.
 *
 * @param reflector name of the reflector
 * @param sanitizer has the functions of the application
 * @param showValues whether to show what these functions do not hide
 */
record ValueSanitizer(String reflector, Sanitizer sanitizer, boolean showValues) {

	String message(String message) {
		return message.isEmpty() ? message : sanitize("message", message);
	}

	String object(String key) {
		return sanitize("object", key);
	}

	private String sanitize(String kind, String value) {
		SanitizableData data = new SanitizableData(null, "reflectors." + this.reflector + "." + kind, value);
		return String.valueOf(this.sanitizer.sanitize(data, this.showValues));
	}

}
