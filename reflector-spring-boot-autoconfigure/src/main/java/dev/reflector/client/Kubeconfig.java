package dev.reflector.client;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * Reads a kubeconfig file: the cluster and the user of a context, with certificate
 * authority, client certificate and token, given in files or inline. What is not
 * supported is refused with a message that names the field.
 */
public final class Kubeconfig {

	private static final int MAX_BYTES = 4 * 1024 * 1024;

	private final Path file;

	private final Map<?, ?> content;

	private Kubeconfig(Path file, Map<?, ?> content) {
		this.file = file;
		this.content = content;
	}

	/**
	 * Reads the server that a context leads to.
	 * @param file the kubeconfig
	 * @param context name of the context, or {@code null} for the current one
	 * @return the server
	 * @throws KubeconfigException when the file cannot be read, is malformed, lacks
	 * something or asks for something that is not supported
	 */
	public static ApiServer load(Path file, @Nullable String context) {
		return new Kubeconfig(file.toAbsolutePath(), parse(file.toAbsolutePath())).server(context);
	}

	private static Map<?, ?> parse(Path file) {
		try {
			if (Files.size(file) > MAX_BYTES) {
				throw new KubeconfigException(file, "it is larger than 4 MB. Is it the right file?", null);
			}
			LoaderOptions options = new LoaderOptions();
			options.setMaxAliasesForCollections(50);
			options.setCodePointLimit(MAX_BYTES);
			Object content = new Yaml(new SafeConstructor(options)).load(Files.readString(file));
			if (content instanceof Map<?, ?> map) {
				return map;
			}
			throw new KubeconfigException(file, "it does not hold a YAML mapping. Is it the right file?", null);
		}
		catch (YAMLException ex) {
			// the message of the parser may quote a line with a secret
			throw new KubeconfigException(file, "it is no valid YAML. Check it with 'kubectl config view'.", null);
		}
		catch (IOException ex) {
			throw new KubeconfigException(file,
					"it cannot be read (" + ex.getClass().getSimpleName() + "). Check the path and the permissions.",
					ex);
		}
	}

	private ApiServer server(@Nullable String wanted) {
		String name = (wanted != null) ? wanted : text(this.content, "current-context");
		if (name == null) {
			throw problem("it has no current-context. Set one with 'kubectl config use-context', or name one with "
					+ "'reflector.api-server.context'.");
		}
		Map<?, ?> context = named("contexts", "context", name);
		Map<?, ?> cluster = named("clusters", "cluster", required(context, "cluster", "context '" + name + "'"));
		String userName = text(context, "user");
		Map<?, ?> user = (userName != null) ? named("users", "user", userName) : Map.of();
		refuse(cluster, "cluster", "proxy-url", "tls-server-name", "insecure-skip-tls-verify");
		refuse(user, "user", "exec", "auth-provider", "username", "password", "as", "as-groups", "as-uid",
				"as-user-extra");
		String server = required(cluster, "server", "the cluster of context '" + name + "'");
		try {
			return new ApiServer(URI.create(server), sslBundle(cluster, user), token(user),
					"kubeconfig " + this.file + ", context " + name);
		}
		catch (KubeconfigException ex) {
			throw ex;
		}
		catch (IllegalArgumentException ex) {
			throw problem("the server of context '" + name + "' is no URL like https://host:6443.");
		}
	}

	private Map<?, ?> named(String section, String field, String name) {
		if (this.content.get(section) instanceof List<?> entries) {
			for (Object entry : entries) {
				if (entry instanceof Map<?, ?> map && name.equals(map.get("name"))) {
					return (map.get(field) instanceof Map<?, ?> found) ? found : Map.of();
				}
			}
		}
		throw problem("it has no " + field + " '" + name + "' among its " + section
				+ ". Check the names with 'kubectl config view'.");
	}

	private void refuse(Map<?, ?> map, String owner, String... fields) {
		for (String field : fields) {
			Object value = map.get(field);
			if (value != null && !Boolean.FALSE.equals(value) && !"".equals(value)) {
				throw problem("its " + owner + " has the field '" + field + "', which is not supported. Use a context "
						+ "with a certificate-authority and a client certificate, token or tokenFile, or configure "
						+ "'reflector.api-server.url' instead.");
			}
		}
	}

	private @Nullable SslBundle sslBundle(Map<?, ?> cluster, Map<?, ?> user) {
		String authority = pem(cluster, "certificate-authority");
		String certificate = pem(user, "client-certificate");
		String key = pem(user, "client-key");
		if ((certificate == null) != (key == null)) {
			throw problem("its user has a " + ((key == null) ? "client-certificate" : "client-key") + " but no "
					+ ((key == null) ? "client-key" : "client-certificate") + ".");
		}
		if (authority == null && certificate == null) {
			return null;
		}
		try {
			PemSslStoreDetails identity = (certificate != null)
					? PemSslStoreDetails.forCertificate(certificate).withPrivateKey(key) : null;
			PemSslStoreDetails trust = (authority != null) ? PemSslStoreDetails.forCertificate(authority) : null;
			PemSslStoreBundle stores = new PemSslStoreBundle(identity, trust);
			// both are read late: a certificate that does not fit is to be told now
			stores.getKeyStore();
			stores.getTrustStore();
			return SslBundle.of(stores);
		}
		catch (RuntimeException ex) {
			throw problem("its certificate-authority, client-certificate or client-key holds no usable PEM content. "
					+ "Certificates must be X.509 and keys PKCS#1, SEC1 or PKCS#8, not encrypted.");
		}
	}

	private TokenSource token(Map<?, ?> user) {
		String token = text(user, "token");
		if (token != null) {
			return TokenSource.of(token);
		}
		String tokenFile = text(user, "tokenFile");
		return (tokenFile != null) ? TokenSource.file(resolve(tokenFile)) : TokenSource.none();
	}

	/** Content of a PEM field, given inline in base64 or as a file; inline wins. */
	private @Nullable String pem(Map<?, ?> map, String field) {
		String data = text(map, field + "-data");
		if (data != null) {
			try {
				return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.UTF_8);
			}
			catch (IllegalArgumentException ex) {
				throw problem("the field '" + field + "-data' is no base64.");
			}
		}
		String path = text(map, field);
		if (path == null) {
			return null;
		}
		try {
			return Files.readString(resolve(path));
		}
		catch (IOException ex) {
			throw problem("the field '" + field + "' names " + resolve(path) + ", which cannot be read ("
					+ ex.getClass().getSimpleName() + ").");
		}
	}

	private Path resolve(String path) {
		Path folder = this.file.getParent();
		return (folder != null) ? folder.resolve(path) : Path.of(path);
	}

	private String required(Map<?, ?> map, String field, String owner) {
		String value = text(map, field);
		if (value == null) {
			throw problem(owner + " has no field '" + field + "'.");
		}
		return value;
	}

	private static @Nullable String text(Map<?, ?> map, String field) {
		return (map.get(field) instanceof String value && !value.isEmpty()) ? value : null;
	}

	private KubeconfigException problem(String problem) {
		return new KubeconfigException(this.file, problem, null);
	}

}
