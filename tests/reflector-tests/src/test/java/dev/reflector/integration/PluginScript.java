package dev.reflector.integration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.PemCertificate;
import tools.jackson.databind.json.JsonMapper;

/**
 * A credential plugin: a shell script that prints what a file says, and counts its runs.
 */
final class PluginScript {

	private static final String VERSION = "client.authentication.k8s.io/v1";

	private final Path folder;

	PluginScript(Path folder) throws IOException {
		this.folder = folder;
		Path script = Files.writeString(folder.resolve("plugin"), """
				#!/bin/sh
				cd "$(dirname "$0")"
				echo "$1 $GREETING" >> runs
				cat answer
				""");
		Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwx------"));
	}

	void answer(String token) throws IOException {
		write("{\"token\":\"" + token + "\"}");
	}

	void answer(PemCertificate certificate) throws IOException {
		write("{" + fields(certificate) + "}");
	}

	/** Both, and by now they have expired. */
	void answerExpired(String token, PemCertificate certificate) throws IOException {
		write("{\"token\":\"" + token + "\",\"expirationTimestamp\":\"" + Instant.now() + "\"," + fields(certificate)
				+ "}");
	}

	private static String fields(PemCertificate certificate) {
		return "\"clientCertificateData\":" + quoted(certificate.certificate()) + ",\"clientKeyData\":"
				+ quoted(certificate.key());
	}

	void print(String output) throws IOException {
		Path next = Files.writeString(this.folder.resolve("next"), output);
		Files.move(next, this.folder.resolve("answer"), StandardCopyOption.ATOMIC_MOVE);
	}

	/** Does not come to an end by itself. */
	void hang() throws IOException {
		Files.writeString(this.folder.resolve("plugin"), """
				#!/bin/sh
				exec sleep 600
				""");
	}

	private void write(String status) throws IOException {
		print("{\"apiVersion\":\"" + VERSION + "\",\"kind\":\"ExecCredential\",\"status\":" + status + "}");
	}

	private static String quoted(String text) {
		return JsonMapper.shared().writeValueAsString(text);
	}

	int runs() throws IOException {
		return Files.readAllLines(this.folder.resolve("runs")).size();
	}

	/** The kubeconfig of a server, with this plugin in place of its credentials. */
	Path kubeconfig(EmbeddedApiServer server) throws IOException {
		return Files.writeString(this.folder.resolve("kubeconfig"), """
				current-context: exec
				contexts: [{name: exec, context: {cluster: c, user: u}}]
				clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
				users:
				- name: u
				  user:
				    exec:
				      apiVersion: %s
				      command: ./plugin
				      args: [get-token]
				      env: [{name: GREETING, value: hello}]
				      interactiveMode: Never
				""".formatted(server.url(), KubeconfigFile.base64(server.caCertificate()), VERSION));
	}

}
