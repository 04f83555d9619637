package dev.reflector.autoconfigure.internal.connection;

import java.io.File;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.credentials.KubeconfigException;

import org.springframework.boot.docker.compose.core.DockerComposeFile;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionDetailsFactory;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.util.StringUtils;

/**
 * Connects to a K3s service of Docker Compose. The credentials come from the kubeconfig
 * that the label {@value #LABEL} of the service names. The kubeconfig must be a file on
 * this machine, because Spring Boot cannot read files in the container. Host and port
 * come from Docker Compose.
 */
final class DockerComposeReflectorConnectionDetailsFactory
		extends DockerComposeConnectionDetailsFactory<ReflectorConnectionDetails> {

	static final String LABEL = "reflector.kubeconfig";

	private static final int PORT = 6443;

	DockerComposeReflectorConnectionDetailsFactory() {
		super("rancher/k3s");
	}

	@Override
	protected ReflectorConnectionDetails getDockerComposeConnectionDetails(DockerComposeConnectionSource source) {
		return new K3sConnectionDetails(source.getRunningService());
	}

	/**
	 * Reads the kubeconfig only when the first reflector needs the server, so that an
	 * application without reflectors starts without the file.
	 */
	private static final class K3sConnectionDetails extends DockerComposeConnectionDetails
			implements ReflectorConnectionDetails {

		private final RunningService service;

		private K3sConnectionDetails(RunningService service) {
			super(service);
			this.service = service;
		}

		@Override
		public ApiServer getApiServer() {
			Path file = file();
			if (!Files.exists(file)) {
				throw new ReflectorConfigurationException(
						"There is no kubeconfig " + file + ", which " + this + " names with its label '" + LABEL + "'.",
						whatToAdd() + "\nIf K3s writes the file only after its start, give the service a "
								+ "'healthcheck': Spring " + "Boot waits for it.");
			}
			try {
				ApiServer server = Kubeconfig.load(file, null);
				return new ApiServer(published(server.url()), server.ssl(), server.token(), server.impersonation(),
						server.route(), server.origin() + ", for " + this);
			}
			catch (KubeconfigException ex) {
				throw new ReflectorConfigurationException(
						"The kubeconfig " + file + ", which " + this + " names with its label '" + LABEL
								+ "', cannot be used: " + ex.getMessage(),
						"Correct the label, or the file. K3s writes it for its own user only, unless the environment "
								+ "variable K3S_KUBECONFIG_MODE of the service is \"644\".",
						ex);
			}
		}

		private Path file() {
			String label = this.service.labels().get(LABEL);
			if (!StringUtils.hasText(label)) {
				throw new ReflectorConfigurationException(
						"It is not known where the kubeconfig of " + this + " is: the service has no label '" + LABEL
								+ "'.",
						whatToAdd() + "\nIf the service is not meant for reflectors, add the label "
								+ "'org.springframework.boot.ignore'.");
			}
			try {
				return folder().resolve(label.strip());
			}
			catch (InvalidPathException ex) {
				throw new ReflectorConfigurationException(
						"The label '" + LABEL + "' of " + this + " is not the name of a file: " + ex.getReason(),
						"Correct the label.", ex);
			}
		}

		/**
		 * Returns the folder for relative paths. Spring Boot uses the same folder for the
		 * files that its own labels name.
		 */
		private Path folder() {
			List<File> files = files();
			Path folder = files.isEmpty() ? null : files.get(0).toPath().getParent();
			return (folder != null) ? folder : Path.of("").toAbsolutePath();
		}

		private List<File> files() {
			DockerComposeFile file = this.service.composeFile();
			return (file != null) ? file.getFiles() : List.of();
		}

		private URI published(URI url) {
			String host = this.service.host();
			try {
				return new URI(url.getScheme(), null, host, port(), url.getPath(), null, null);
			}
			catch (URISyntaxException ex) {
				throw new ReflectorConfigurationException(
						"The host of " + this + ", '" + host + "', cannot be part of a URL: " + ex.getReason(),
						"Set 'spring.docker.compose.host' to the name or the address of the host of the containers.",
						ex);
			}
		}

		private int port() {
			try {
				return this.service.ports().get(PORT);
			}
			catch (IllegalStateException ex) {
				throw new ReflectorConfigurationException("The API server of " + this
						+ " cannot be reached: the service does not publish port " + PORT + ".",
						"Add \"" + PORT + "\" to the 'ports' of the service in " + place() + ".", ex);
			}
		}

		private String whatToAdd() {
			return """
					Add to the service in %s, with a folder next to that file that only you can enter, such as by 'mkdir -m 700 k3s':
					    environment:
					      K3S_KUBECONFIG_OUTPUT: /output/kubeconfig.yaml
					      K3S_KUBECONFIG_MODE: "644"
					    volumes:
					      - ./k3s:/output
					    labels:
					      %s: k3s/kubeconfig.yaml"""
				.formatted(place(), LABEL);
		}

		private String place() {
			return files().stream().findFirst().map(File::toString).orElse("the Docker Compose file");
		}

		@Override
		public String toString() {
			return "the Docker Compose service " + this.service.name();
		}

	}

}
