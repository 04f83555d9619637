package dev.reflector.test.internal.access;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

import dev.reflector.test.internal.api.ServedType;
import dev.reflector.test.internal.options.PemIdentity;
import org.jspecify.annotations.Nullable;

/**
 * Writes a kubeconfig.
 *
 * @param url URL of the server
 * @param authority certificate of the authority to trust, or {@code null} for a server
 * without TLS
 * @param token the token to send, or {@code null} for none
 * @param client the client certificate to show, or {@code null} for none
 */
record KubeconfigText(URI url, @Nullable String authority, @Nullable String token, @Nullable PemIdentity client) {

	String yaml() {
		StringBuilder yaml = new StringBuilder("""
				apiVersion: v1
				kind: Config
				current-context: embedded
				contexts:
				- name: embedded
				  context: {cluster: embedded, user: embedded, namespace: default}
				clusters:
				- name: embedded
				  cluster:
				""");
		field(yaml, "server", this.url.toString());
		if (this.authority != null) {
			field(yaml, "certificate-authority-data", base64(this.authority));
		}
		yaml.append("users:\n- name: embedded\n");
		if (this.token == null && this.client == null) {
			return yaml.append("  user: {}\n").toString();
		}
		yaml.append("  user:\n");
		if (this.token != null) {
			field(yaml, "token", this.token);
		}
		if (this.client != null) {
			field(yaml, "client-certificate-data", base64(this.client.certificate()));
			field(yaml, "client-key-data", base64(this.client.key()));
		}
		return yaml.toString();
	}

	private static void field(StringBuilder yaml, String name, String value) {
		// a JSON string is also a YAML string
		yaml.append("    ").append(name).append(": ").append(ServedType.quoted(value)).append('\n');
	}

	private static String base64(String pem) {
		return Base64.getEncoder().encodeToString(pem.getBytes(StandardCharsets.US_ASCII));
	}

	@Override
	public String toString() {
		return "kubeconfig for " + this.url;
	}

}
