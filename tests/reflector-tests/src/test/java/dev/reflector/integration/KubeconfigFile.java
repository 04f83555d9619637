package dev.reflector.integration;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

import dev.reflector.test.PemCertificate;

/**
 * The content of a kubeconfig with one cluster and one user.
 *
 * @param cluster the cluster's entries other than its address, as one line of YAML
 * @param user the user's entries, as one line of YAML
 */
record KubeconfigFile(String cluster, String user) {

	/**
	 * Returns a kubeconfig that trusts an authority.
	 * @param authority the certificate of the authority
	 * @param user the user's entries
	 * @return the kubeconfig
	 */
	static KubeconfigFile trusting(String authority, String user) {
		return new KubeconfigFile("certificate-authority-data: " + base64(authority), user);
	}

	/**
	 * Returns the entries of a user with a certificate.
	 * @param certificate the certificate
	 * @param more further entries
	 * @return one line of YAML
	 */
	static String user(PemCertificate certificate, String more) {
		return "{" + more + "client-certificate-data: " + base64(certificate.certificate()) + ", client-key-data: "
				+ base64(certificate.key()) + "}";
	}

	/** Returns the same kubeconfig with more entries of the cluster. */
	KubeconfigFile with(String more) {
		return new KubeconfigFile(this.cluster + more, this.user);
	}

	String text(URI server) {
		return """
				current-context: test
				contexts: [{name: test, context: {cluster: c, user: u}}]
				clusters: [{name: c, cluster: {server: "%s", %s}}]
				users: [{name: u, user: %s}]
				""".formatted(server, this.cluster, this.user);
	}

	Path write(Path folder, URI server) {
		try {
			return Files.writeString(folder.resolve("kubeconfig"), text(server));
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static String base64(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

}
