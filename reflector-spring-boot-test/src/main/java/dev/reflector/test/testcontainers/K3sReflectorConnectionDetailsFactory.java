package dev.reflector.test.testcontainers;

import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.Kubeconfig;
import org.testcontainers.k3s.K3sContainer;

import org.springframework.boot.testcontainers.service.connection.ContainerConnectionDetailsFactory;
import org.springframework.boot.testcontainers.service.connection.ContainerConnectionSource;

/**
 * Reads the API server and the credentials from the kubeconfig of a {@link K3sContainer}
 * that is a {@code @ServiceConnection}.
 */
final class K3sReflectorConnectionDetailsFactory
		extends ContainerConnectionDetailsFactory<K3sContainer, ReflectorConnectionDetails> {

	@Override
	protected ReflectorConnectionDetails getContainerConnectionDetails(ContainerConnectionSource<K3sContainer> source) {
		return new K3sConnectionDetails(source);
	}

	/**
	 * Reads the kubeconfig only after the container has been started.
	 */
	private static final class K3sConnectionDetails extends ContainerConnectionDetails<K3sContainer>
			implements ReflectorConnectionDetails {

		private K3sConnectionDetails(ContainerConnectionSource<K3sContainer> source) {
			super(source);
		}

		@Override
		public ApiServer getApiServer() {
			return Kubeconfig.parse(getContainer().getKubeConfigYaml(), "the K3s container", null);
		}

	}

}
