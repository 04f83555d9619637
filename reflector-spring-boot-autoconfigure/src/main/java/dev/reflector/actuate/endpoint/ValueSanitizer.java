package dev.reflector.actuate.endpoint;

import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.Sanitizer;

/**
 * Hides texts of a report that come from the server: messages, reasons and versions that
 * may be arbitrary texts, and names of objects. The sanitizing functions of the
 * application receive each text under the key {@code reflectors.NAME.message} or
 * {@code reflectors.NAME.object}.
 *
 * @param reflector name of the reflector
 * @param sanitizer calls the sanitizing functions of the application
 * @param showValues whether to show the texts that these functions do not hide
 */
record ValueSanitizer(String reflector, Sanitizer sanitizer, boolean showValues) {

	/**
	 * The reasons that Kubernetes and this library define. They are never hidden. Any
	 * other reason may be arbitrary text of the server.
	 */
	private static final Set<String> REASONS = Set.of("AlreadyExists", "BadRequest", "ClientWatchDecoding",
			"ClusterScoped", "Conflict", "ConnectTimeout", "ConnectionLost", "ConnectionRefused", "Credentials",
			"EndlessList", "Expired", "Forbidden", "Gone", "IncompleteStream", "InternalError", "Invalid",
			"KafkaUnavailable", "ListenerFailed", "MalformedResponse", "MalformedResponseException", "MethodNotAllowed",
			"MirrorTooLarge", "NoRoute", "NotAcceptable", "NotFound", "ProxyFailure", "RequestEntityTooLarge",
			"ServerCertificateExpired", "ServerCertificateNotYetValid", "ServerTimeout", "ServiceUnavailable",
			"SnapshotFailed", "SnapshotMismatch", "StorageReadError", "Timeout", "TlsFailure", "TooManyObjects",
			"TooManyRequests", "TopicChanged", "TopicUndecided", "TypeNotServed", "Unauthorized", "Unknown",
			"UnknownHost", "UnreadableObject", "UnsuitableServerCertificate", "UnsupportedMediaType",
			"UntrustedServerCertificate", "VeryShortWatch", "WatchNotSupported", "WrongHostName");

	/**
	 * The form of a version of Kubernetes. Any other version may be arbitrary text of the
	 * server.
	 */
	private static final Pattern VERSION = Pattern.compile("[0-9]*");

	String reason(String reason) {
		return REASONS.contains(reason) ? reason : message(reason);
	}

	String message(String message) {
		return message.isEmpty() ? message : sanitize("message", message);
	}

	String version(String version) {
		return VERSION.matcher(version).matches() ? version : message(version);
	}

	@Nullable String versionOrNull(@Nullable String version) {
		return (version != null) ? version(version) : null;
	}

	String object(String key) {
		return sanitize("object", key);
	}

	private String sanitize(String kind, String value) {
		SanitizableData data = new SanitizableData(null, "reflectors." + this.reflector + "." + kind, value);
		return String.valueOf(this.sanitizer.sanitize(data, this.showValues));
	}

}
