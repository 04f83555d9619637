package dev.reflector.client.credentials;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import javax.net.ssl.SNIHostName;

import dev.reflector.client.internal.pem.PemBundles;
import dev.reflector.client.internal.pem.PemBundles.UnusablePemException;
import dev.reflector.client.internal.pem.PemMaterial;
import org.jspecify.annotations.Nullable;

/** A cluster of a kubeconfig: how to connect to its API server. */
final class KubeconfigCluster {

	private static final Map<String, Integer> PROXY_PORTS = Map.of("http", 80, "https", 443, "socks5", 1080);

	private static final String INSECURE = "insecure-skip-tls-verify";

	private static final String AUTHORITY = "certificate-authority";

	/** Name of the extension that contains settings for plugins. */
	private static final String EXEC_EXTENSION = "client.authentication.k8s.io/exec";

	private final KubeconfigNode node;

	private final URI url;

	KubeconfigCluster(KubeconfigNode node) {
		this.node = node;
		this.url = url(node);
	}

	private static URI url(KubeconfigNode node) {
		String server = node.required("server");
		try {
			URI url = new URI(server);
			if (ApiServer.isStrangeHost(url)) {
				throw strangeHost(node, "server");
			}
			return new ApiServer(url, null, TokenSource.none(), node.toString()).url();
		}
		catch (URISyntaxException | IllegalArgumentException ex) {
			// the message does not quote the URL, which may contain a password
			throw node.failure("has a 'server' that is not an http or https URL without user, query and fragment",
					"write it like https://127.0.0.1:6443");
		}
	}

	private static KubeconfigException strangeHost(KubeconfigNode node, String field) {
		return node.failure("has a '" + field + "' with " + ApiServer.STRANGE_HOST, ApiServer.STRANGE_HOST_REMEDY);
	}

	URI url() {
		return this.url;
	}

	Route route() {
		return new Route(proxy(), serverName());
	}

	private @Nullable String serverName() {
		String name = this.node.text("tls-server-name");
		if (name == null || name.isBlank()) {
			return null;
		}
		try {
			// checked now, because otherwise every connection would fail later
			new SNIHostName(name.strip());
			return name.strip();
		}
		catch (IllegalArgumentException ex) {
			throw this.node.failure("has a 'tls-server-name' that is not a host name, or not one that Java accepts",
					"set it to a name of letters, digits and hyphens that the certificate of the server is valid for");
		}
	}

	private @Nullable URI proxy() {
		String text = this.node.text("proxy-url");
		if (text == null || text.isBlank()) {
			return null;
		}
		try {
			URI url = new URI(text.strip());
			String scheme = (url.getScheme() != null) ? url.getScheme().toLowerCase(Locale.ROOT) : "";
			Integer port = PROXY_PORTS.get(scheme);
			if (port != null && url.getHost() != null) {
				return new URI(scheme, url.getUserInfo(), url.getHost(), (url.getPort() >= 0) ? url.getPort() : port,
						null, null, null);
			}
			if (port != null && ApiServer.isStrangeHost(url)) {
				throw strangeHost(this.node, "proxy-url");
			}
		}
		catch (URISyntaxException ex) {
			// the message below does not quote the URL, which may contain a password
		}
		throw this.node.failure("has a 'proxy-url' that is not an http, https or socks5 URL",
				"write it like http://proxy:3128 or socks5://proxy:1080");
	}

	boolean isEncrypted() {
		return "https".equalsIgnoreCase(this.url.getScheme());
	}

	boolean isVerified() {
		return !this.node.flag(INSECURE);
	}

	/**
	 * Returns the trusted authorities.
	 * @return the authorities, without a client certificate
	 * @throws KubeconfigException if the authorities cannot be used, or if they are
	 * configured although the certificate of the server is not verified
	 */
	PemMaterial trust() {
		if (!isVerified()) {
			if (this.node.place(AUTHORITY) != null) {
				throw this.node.failure("has both " + INSECURE + " and " + this.node.place(AUTHORITY),
						"remove " + INSECURE + ", so that the certificate of the server is verified; kubectl "
								+ "does not accept both, either");
			}
			return new PemMaterial(null, null, null, true);
		}
		PemMaterial trust = new PemMaterial(this.node.data(AUTHORITY), null, null, false);
		try {
			PemBundles.of(trust);
		}
		catch (UnusablePemException ex) {
			throw this.node.failure("has unusable " + this.node.place(AUTHORITY) + ": " + ex.getMessage(),
					"replace it by PEM, or base64 of PEM in the '-data' form");
		}
		return trust;
	}

	/**
	 * Returns where the trusted authorities are configured.
	 * @return the field or file, for messages
	 */
	String trustPlace() {
		if (!isVerified()) {
			return INSECURE + " of " + this.node.where();
		}
		String place = this.node.place(AUTHORITY);
		return (place != null) ? place + " of " + this.node.where()
				: this.node.where() + " names no certificate-authority, so those of the JVM are trusted";
	}

	KubeconfigException failure(String what, String remedy) {
		return this.node.failure(what, remedy);
	}

	/**
	 * Returns the description of the cluster that a plugin receives.
	 * @return the content of {@code spec.cluster} in the input of the plugin
	 */
	Map<String, Object> execInfo() {
		Map<String, Object> info = new LinkedHashMap<>();
		info.put("server", this.url.toString());
		for (String field : new String[] { "tls-server-name", "proxy-url" }) {
			String value = this.node.text(field);
			if (value != null && !value.isBlank()) {
				info.put(field, value);
			}
		}
		if (!isVerified()) {
			info.put(INSECURE, true);
		}
		String authority = this.node.data(AUTHORITY);
		if (authority != null) {
			info.put("certificate-authority-data",
					Base64.getEncoder().encodeToString(authority.getBytes(StandardCharsets.UTF_8)));
		}
		for (KubeconfigNode extension : this.node.mappings("extensions")) {
			Object config = extension.value("extension");
			if (EXEC_EXTENSION.equals(extension.text("name")) && config != null) {
				info.put("config", config);
			}
		}
		return info;
	}

}
