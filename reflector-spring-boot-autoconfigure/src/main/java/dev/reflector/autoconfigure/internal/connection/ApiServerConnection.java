package dev.reflector.autoconfigure.internal.connection;

import java.util.Optional;
import java.util.function.Function;

import dev.reflector.autoconfigure.connection.ApiServerProperties;
import dev.reflector.autoconfigure.connection.ApiServerProperties.ExecPlugins;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.InClusterConfig;
import dev.reflector.client.credentials.KubeconfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.util.function.SingletonSupplier;

/**
 * Holds the client of the API server. The client is made when the first reflector needs
 * it. Then the connection logs once where the server is, or which property to set if
 * there is none.
 */
public final class ApiServerConnection implements AutoCloseable {

	/** Name of the bean. */
	public static final String BEAN_NAME = "reflectorApiServerConnection";

	/** Why a reflector is not started if no API server is configured. */
	public static final String NOT_CONFIGURED = "no API server is configured: set 'reflector.api-server.url' or "
			+ "'reflector.api-server.kubeconfig', or use the embedded API server in tests";

	private static final Logger logger = LoggerFactory.getLogger(ApiServerConnection.class);

	private final SingletonSupplier<Optional<ApiServerClient>> client;

	private final ApiServerProperties properties;

	private volatile @Nullable ApiServerClient open;

	private volatile @Nullable String namespace;

	private volatile @Nullable String described;

	/**
	 * Creates the connection.
	 * @param details where the server is
	 * @param properties says whether a server is required, and whether credential plugins
	 * may be run
	 * @param clientFactory makes the client
	 */
	public ApiServerConnection(ReflectorConnectionDetails details, ApiServerProperties properties,
			Function<ApiServer, ApiServerClient> clientFactory) {
		this.properties = properties;
		this.client = SingletonSupplier.of(() -> {
			Optional<ApiServerClient> made = connect(details, properties, clientFactory);
			this.open = made.orElse(null);
			return made;
		});
	}

	private Optional<ApiServerClient> connect(ReflectorConnectionDetails details, ApiServerProperties properties,
			Function<ApiServer, ApiServerClient> clientFactory) {
		ApiServer server = details.getApiServer();
		if (server == null && properties.required()) {
			throw new ReflectorConfigurationException(
					"No API server is configured or found, but 'reflector.api-server.required' is set"
							+ searched(details) + ".",
					"Set 'reflector.api-server.url' or 'reflector.api-server.kubeconfig', provide one of the files of "
							+ "the environment variable KUBECONFIG or ~/.kube/config, or mount the token of a "
							+ "service account into the pod.");
		}
		if (server == null) {
			logger.warn("Reflectors are not started: {}{}", NOT_CONFIGURED, searched(details));
			return Optional.empty();
		}
		String program = server.token().program();
		if (program != null && properties.execPlugins() == ExecPlugins.DENY) {
			throw new ReflectorConfigurationException(
					"The " + program + " is not run, because 'reflector.api-server.exec-plugins' is 'deny'.",
					"Set 'reflector.api-server.exec-plugins' to 'allow' to run it, name another context with "
							+ "'reflector.api-server.context', or set 'reflector.api-server.token-file'.");
		}
		this.described = server.toString();
		logger.info("Reflectors use the API server {} (from {})", server.url(), server.origin());
		this.namespace = server.namespace();
		if (details instanceof PropertiesReflectorConnectionDetails detected) {
			detected.warnOfUnusedContext();
			detected.warnOfUnusedProxy(server);
		}
		return Optional.of(client(server, clientFactory));
	}

	private static ApiServerClient client(ApiServer server, Function<ApiServer, ApiServerClient> clientFactory) {
		try {
			return clientFactory.apply(server);
		}
		catch (KubeconfigException ex) {
			throw new ReflectorConfigurationException(
					"The connection to " + server + " cannot be made: " + ex.getMessage() + ".",
					"Change one of the settings that the message names.", ex);
		}
	}

	/**
	 * Returns a description of the server for messages. Does not look for the server if
	 * this has not been done yet.
	 * @return the URL of the server and where it was found, empty until the server is
	 * known
	 */
	public Optional<String> server() {
		return Optional.ofNullable(this.described);
	}

	private static String searched(ReflectorConnectionDetails details) {
		return (details instanceof PropertiesReflectorConnectionDetails detected) ? ". " + detected.searched() : "";
	}

	/**
	 * Returns the client, and makes it at the first call.
	 * @return the client, empty if no server is configured
	 */
	public Optional<ApiServerClient> client() {
		return this.client.obtain();
	}

	/**
	 * Returns the namespace of Leases. It is the first of these that is set: the setting
	 * for Leases, {@code reflector.api-server.namespace}, the namespace of the server's
	 * configuration (for example, of the context of a kubeconfig), the namespace of the
	 * pod. The server's configuration is known only after the client was made.
	 * @param own the namespace that the properties set for Leases, or {@code null}
	 * @return the namespace, empty if it is not known
	 */
	public Optional<String> namespace(@Nullable String own) {
		String set = (own != null) ? own : this.properties.namespace();
		String known = (set != null) ? set : this.namespace;
		return (known != null) ? Optional.of(known) : InClusterConfig.namespace(InClusterConfig.SERVICE_ACCOUNT_FOLDER);
	}

	/**
	 * Closes the open connections. The client opens new ones when it is used again.
	 */
	@Override
	public void close() {
		ApiServerClient client = this.open;
		if (client != null) {
			client.disconnect();
		}
	}

}
