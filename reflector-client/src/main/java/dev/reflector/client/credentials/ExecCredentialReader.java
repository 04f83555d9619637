package dev.reflector.client.credentials;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.reflector.client.internal.pem.PemBundles;
import dev.reflector.client.internal.pem.PemBundles.UnusablePemException;
import dev.reflector.client.internal.pem.PemMaterial;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Creates the input of a credential plugin and reads its output. Exceptions do not quote
 * the output, because it may be secret.
 */
final class ExecCredentialReader {

	private static final String KIND = "ExecCredential";

	private final String apiVersion;

	private final @Nullable Map<String, Object> cluster;

	/**
	 * Creates a reader.
	 * @param apiVersion the version of the protocol
	 * @param cluster the description of the cluster for the plugin, or {@code null} for
	 * none
	 */
	ExecCredentialReader(String apiVersion, @Nullable Map<String, Object> cluster) {
		this.apiVersion = apiVersion;
		this.cluster = cluster;
	}

	/**
	 * Returns the input of the plugin.
	 * @return value of the environment variable {@code KUBERNETES_EXEC_INFO}
	 */
	String info() {
		Map<String, Object> spec = new LinkedHashMap<>();
		if (this.cluster != null) {
			spec.put("cluster", this.cluster);
		}
		spec.put("interactive", false);
		Map<String, Object> info = new LinkedHashMap<>();
		info.put("apiVersion", this.apiVersion);
		info.put("kind", KIND);
		info.put("spec", spec);
		return JsonMapper.shared().writeValueAsString(info);
	}

	/**
	 * Reads the output of the plugin.
	 * @param output the standard output of the plugin
	 * @return the credential
	 * @throws UnusableAnswerException if the output is no credential
	 */
	ExecCredential read(byte[] output) {
		JsonNode answer = json(output);
		if (!KIND.equals(answer.path("kind").asString(""))) {
			throw new UnusableAnswerException("has printed JSON whose 'kind' is not " + KIND);
		}
		if (!this.apiVersion.equals(answer.path("apiVersion").asString(""))) {
			throw new UnusableAnswerException(
					"has printed an " + KIND + " whose 'apiVersion' is not " + this.apiVersion + " as asked for");
		}
		JsonNode status = answer.path("status");
		String token = text(status, "token");
		String certificate = text(status, "clientCertificateData");
		String key = text(status, "clientKeyData");
		if ((certificate == null) != (key == null)) {
			throw new UnusableAnswerException("has given only one of 'clientCertificateData' and 'clientKeyData'");
		}
		if (token == null && certificate == null) {
			throw new UnusableAnswerException("has given neither a token nor a client certificate in 'status'");
		}
		Instant expiry = expiry(text(status, "expirationTimestamp"));
		if (certificate != null) {
			Instant end = end(certificate, key);
			expiry = end.isBefore(expiry) ? end : expiry;
		}
		return new ExecCredential(token, certificate, key, expiry);
	}

	private JsonNode json(byte[] output) {
		try {
			JsonNode answer = JsonMapper.shared().readTree(output);
			if (answer.isObject()) {
				return answer;
			}
		}
		catch (JacksonException ex) {
			// the exception is not kept as the cause, because its message quotes the
			// output
		}
		throw new UnusableAnswerException((output.length == 0) ? "has printed nothing" : "has not printed JSON");
	}

	private static @Nullable String text(JsonNode status, String field) {
		String text = status.path(field).asString("");
		return text.isBlank() ? null : text.strip();
	}

	private static Instant expiry(@Nullable String timestamp) {
		if (timestamp == null) {
			return Instant.MAX;
		}
		try {
			return OffsetDateTime.parse(timestamp).toInstant();
		}
		catch (DateTimeException ex) {
			throw new UnusableAnswerException(
					"has given an 'expirationTimestamp' that is not a time such as 2026-01-31T12:00:00Z");
		}
	}

	private static Instant end(String certificate, @Nullable String key) {
		try {
			PemBundles.of(PemMaterial.NONE.withOwn(certificate, key));
			return PemBundles.expiry(certificate);
		}
		catch (UnusablePemException ex) {
			throw new UnusableAnswerException(
					"has given unusable 'clientCertificateData' or 'clientKeyData': " + ex.getMessage());
		}
	}

	/**
	 * Thrown when the output is no credential. The caller puts the name of the plugin
	 * before the message.
	 */
	static final class UnusableAnswerException extends RuntimeException {

		UnusableAnswerException(String message) {
			super(message);
		}

	}

}
