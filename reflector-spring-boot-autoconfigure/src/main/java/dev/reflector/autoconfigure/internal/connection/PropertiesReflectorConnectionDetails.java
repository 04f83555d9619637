package dev.reflector.autoconfigure.internal.connection;

import java.net.URI;
import java.io.File;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.reflector.autoconfigure.connection.ApiServerProperties;
import dev.reflector.autoconfigure.connection.ApiServerProperties.ExecPlugins;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.InClusterConfig;
import dev.reflector.client.credentials.Kubeconfig;
import dev.reflector.client.credentials.KubeconfigException;
import dev.reflector.client.credentials.SslSource;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.client.internal.pem.ShownPath;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Looks for the API server in the properties and where kubectl would: the kubeconfig that
 * the properties name, the files of {@code $KUBECONFIG}, {@code ~/.kube/config}, and last
 * the service account of the pod. The first of these that exists is used. A kubeconfig
 * that the properties do not name counts only if it has a context. A token that the
 * properties set replaces the token of the service account, and all credentials of the
 * kubeconfig, which are then not read. An SSL bundle replaces their certificates.
 */
public final class PropertiesReflectorConnectionDetails implements ReflectorConnectionDetails {

	private static final Logger logger = LoggerFactory.getLogger(PropertiesReflectorConnectionDetails.class);

	private static final String URL = "reflector.api-server.url";

	private static final String KUBECONFIG = "reflector.api-server.kubeconfig";

	private static final String SSL_BUNDLE = "reflector.api-server.ssl-bundle";

	private static final String[] SERVICE_VARIABLES = { "KUBERNETES_SERVICE_HOST", "KUBERNETES_SERVICE_PORT" };

	private final ApiServerProperties properties;

	private final Environment environment;

	private final ObjectProvider<SslBundles> sslBundles;

	private final Path serviceAccount;

	/**
	 * Creates the details.
	 * @param properties properties of the server
	 * @param environment supplies environment variables and the home folder
	 * @param sslBundles SSL bundles of the application
	 * @param serviceAccount folder of the service account
	 */
	public PropertiesReflectorConnectionDetails(ApiServerProperties properties, Environment environment,
			ObjectProvider<SslBundles> sslBundles, Path serviceAccount) {
		this.properties = properties;
		this.environment = environment;
		this.sslBundles = sslBundles;
		this.serviceAccount = serviceAccount;
	}

	@Override
	public @Nullable ApiServer getApiServer() {
		URI url = this.properties.uri();
		if (url != null) {
			return withProperties(new ApiServer(url, null, TokenSource.none(), "'" + URL + "'"));
		}
		return fromKubeconfig().or(this::fromServiceAccount).map(this::withProperties).orElse(null);
	}

	private Optional<ApiServer> fromKubeconfig() {
		if (this.properties.kubeconfig() != null) {
			Path file = path(this.properties.kubeconfig());
			if (!Files.exists(file)) {
				throw new ReflectorConfigurationException(
						"There is no kubeconfig " + ShownPath.of(file.toString()) + ", which '" + KUBECONFIG
								+ "' names.",
						"Name an existing one, or name the API server itself with '" + URL + "'.");
			}
			return Optional.of(load(List.of(file), "named by '" + KUBECONFIG + "'"));
		}
		List<Path> files = searchedFiles();
		return files.isEmpty() ? Optional.empty() : loadIfAny(files,
				(variable() != null) ? "named by the environment variable KUBECONFIG" : "found in the home folder");
	}

	private @Nullable String variable() {
		String variable = this.environment.getProperty("KUBECONFIG");
		return StringUtils.hasText(variable) ? variable : null;
	}

	/**
	 * Returns the kubeconfigs that exist. As in kubectl, the files that the environment
	 * variable names replace the file in the home folder, even if none of them exists.
	 */
	private List<Path> searchedFiles() {
		String variable = variable();
		Stream<Path> files = (variable != null) ? Arrays.stream(variable.split(File.pathSeparator))
			.filter(StringUtils::hasText)
			.map(this::path)
			.distinct() : homeFile().stream();
		return files.filter(Files::exists).toList();
	}

	private Optional<Path> homeFile() {
		return home().map((home) -> home.resolve(".kube").resolve("config"));
	}

	/**
	 * Loads kubeconfigs that the properties do not name. If the files have no context,
	 * and the properties name no context, the files count as missing.
	 */
	private Optional<ApiServer> loadIfAny(List<Path> files, String found) {
		return usable(files, found,
				() -> StringUtils.hasText(this.properties.context()) || Kubeconfig.hasContext(files))
						? Optional.of(load(files, found)) : Optional.empty();
	}

	private ApiServer load(List<Path> files, String found) {
		String context = this.properties.context();
		boolean replaced = this.properties.token() != null || this.properties.tokenFile() != null;
		return usable(files, found, () -> replaced ? Kubeconfig.loadWithoutCredentials(files, context)
				: Kubeconfig.load(files, context, this.properties.execPlugins() == ExecPlugins.ALLOW));
	}

	private <T> T usable(List<Path> files, String found, Supplier<T> read) {
		try {
			return read.get();
		}
		catch (KubeconfigException ex) {
			String names = files.stream().map(Path::toString).collect(Collectors.joining(", "));
			throw new ReflectorConfigurationException(
					"The kubeconfig " + names + ", " + found + ", cannot be used: " + ex.getMessage(),
					((this.properties.context() != null)
							? "Correct 'reflector.api-server.context', which is '" + this.properties.context()
									+ "', or correct the file"
							: "Correct the file, name one of its contexts with 'reflector.api-server.context'")
							+ ", name another file with '" + KUBECONFIG + "', or name the API server itself with '"
							+ URL + "'.",
					ex);
		}
	}

	private Optional<ApiServer> fromServiceAccount() {
		try {
			return InClusterConfig.detect(serviceVariables(), this.serviceAccount);
		}
		catch (KubeconfigException ex) {
			throw new ReflectorConfigurationException(
					"The service account of the pod cannot be used: " + ex.getMessage(),
					"Correct how the service account is mounted, or name the API server itself with '" + URL + "'.",
					ex);
		}
	}

	/**
	 * Describes where a server was searched for, and what was missing at each place.
	 * @return sentences for a message
	 */
	String searched() {
		boolean pod = StringUtils.hasText(this.environment.getProperty(SERVICE_VARIABLES[0]));
		return "Looked for " + searchedKubeconfigs() + "; the token of a service account in " + this.serviceAccount
				+ ", which is not there"
				+ (pod ? ". This looks like a pod (KUBERNETES_SERVICE_HOST is set) without a token: remove "
						+ "'automountServiceAccountToken: false' from the pod or its service account" : "");
	}

	private String searchedKubeconfigs() {
		String variable = variable();
		boolean exists = !searchedFiles().isEmpty();
		return (variable != null)
				? "the files that the environment variable KUBECONFIG names ("
						+ ShownPath.ofAll(variable, File.pathSeparator) + "), of which none "
						+ (exists ? "has a context" : "exists")
				: "the environment variable KUBECONFIG, which is not set; "
						+ homeFile().map((file) -> file + ", which " + (exists ? "has no context" : "does not exist"))
							.orElse("no home folder");
	}

	/**
	 * Warns of a context that the properties name although there is no kubeconfig, so
	 * that the application may use another cluster than it should. Call this method only
	 * if a server was found.
	 */
	void warnOfUnusedContext() {
		if (this.properties.context() != null && this.properties.uri() == null && this.properties.kubeconfig() == null
				&& searchedFiles().isEmpty()) {
			logger.warn("'reflector.api-server.context' is '{}', but there is no kubeconfig, so the service account "
					+ "of the pod is used. Looked for {}", this.properties.context(), searchedKubeconfigs());
		}
	}

	/**
	 * Warns of a proxy that kubectl would use but this library does not.
	 * @param server the server
	 */
	void warnOfUnusedProxy(ApiServer server) {
		String scheme = server.url().getScheme().toLowerCase(Locale.ROOT);
		if (server.route().proxy() == null && System.getProperty(scheme + ".proxyHost") == null
				&& UnusedProxy.of((name) -> this.environment.getProperty(name)).isFor(server.url())) {
			logger.warn(
					"The environment variable {}_PROXY is set, but it is not used for {}. To use a proxy, set "
							+ "'proxy-url' in the kubeconfig or the system property '{}.proxyHost'. To silence "
							+ "this warning, add the server to the environment variable NO_PROXY",
					scheme.toUpperCase(Locale.ROOT), server.url(), scheme);
		}
	}

	private Path path(String text) {
		try {
			Optional<Path> home = text.startsWith("~/") ? home() : Optional.empty();
			return home.map((folder) -> folder.resolve(text.substring(2))).orElseGet(() -> Path.of(text));
		}
		catch (InvalidPathException ex) {
			// without the exception as cause, because its message quotes the text
			throw new ReflectorConfigurationException(
					"'" + ShownPath.of(text) + "' is not the name of a file: " + ex.getReason(),
					"Correct the name of the file.");
		}
	}

	private Optional<Path> home() {
		return Optional.ofNullable(this.environment.getProperty("user.home"))
			.filter(StringUtils::hasText)
			.map(Path::of);
	}

	private Map<String, String> serviceVariables() {
		Map<String, String> variables = new HashMap<>();
		for (String name : SERVICE_VARIABLES) {
			String value = this.environment.getProperty(name);
			if (StringUtils.hasText(value)) {
				variables.put(name, value);
			}
		}
		return variables;
	}

	private ApiServer withProperties(ApiServer server) {
		TokenSource token = token();
		ApiServer changed = (token != null) ? server.withToken(token) : server;
		SslSource ssl = ssl();
		return (ssl != null) ? changed.withSsl(ssl) : changed;
	}

	private @Nullable SslSource ssl() {
		String name = this.properties.sslBundle();
		if (name == null) {
			return null;
		}
		try {
			return new ReloadedSslBundle(name, this.sslBundles.getObject());
		}
		catch (NoSuchSslBundleException ex) {
			throw new ReflectorConfigurationException(
					"The SSL bundle '" + name + "', named by '" + SSL_BUNDLE + "', cannot be used: " + ex.getMessage(),
					"Define the bundle under 'spring.ssl.bundle', or correct its name.", ex);
		}
		catch (IllegalStateException | IllegalArgumentException | UncheckedIOException ex) {
			// without the exception as cause, because its messages may quote a key
			throw new ReflectorConfigurationException(
					"The SSL bundle '" + name + "', named by '" + SSL_BUNDLE + "', cannot be used: "
							+ ReloadedSslBundle.reason(ex),
					"Correct the files and passwords under 'spring.ssl.bundle', and make the files readable for this "
							+ "process.");
		}
	}

	private @Nullable TokenSource token() {
		if (this.properties.token() != null) {
			return TokenSource.of(this.properties.token(), "'reflector.api-server.token'");
		}
		if (this.properties.tokenFile() != null) {
			return TokenSource.file(path(this.properties.tokenFile()));
		}
		return null;
	}

}
