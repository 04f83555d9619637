package dev.reflector.autoconfigure.connection;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Objects;

import dev.reflector.autoconfigure.internal.PropertyChecks;
import dev.reflector.client.internal.pem.ShownPath;
import dev.reflector.client.options.Compression;
import dev.reflector.client.options.HttpVersion;
import dev.reflector.client.options.ObjectFormat;
import dev.reflector.client.options.Timeouts;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.context.properties.source.MutuallyExclusiveConfigurationPropertiesException;
import org.springframework.util.unit.DataSize;

/**
 * Address of the API server, and settings of the connection.
 *
 * @param url Base URL of the API server; takes precedence over kubeconfigs and the
 * service account.
 * @param required Whether the start fails when no API server is configured or found.
 * @param kubeconfig Kubeconfig file, by default the files of KUBECONFIG, else
 * ~/.kube/config.
 * @param context Context of the kubeconfig, by default its current one.
 * @param token Bearer token that is sent to the API server.
 * @param tokenFile File with the bearer token that is sent to the API server, read again
 * when it changes.
 * @param allowTokenOverHttp Whether you accept that a token is sent to an API server
 * without TLS on another machine; if so, no warning is logged.
 * @param execPlugins Whether a credential plugin of a kubeconfig, which is a program, may
 * be run.
 * @param sslBundle Name of the SSL bundle for connections to the API server. When it is
 * reloaded, new connections use it.
 * @param namespace Namespace that reflectors without namespaces mirror; by default all
 * namespaces.
 * @param httpVersion Version of HTTP to speak to the API server; with HTTP/2, which needs
 * https, watches share connections.
 * @param connectTimeout How long establishing a connection to the API server may take.
 * @param responseTimeout How long the API server may take to begin to answer a request,
 * by default 65 seconds, or the idle timeout if that is shorter.
 * @param idleTimeout How long a connection to the API server with a request in progress
 * may be silent before it counts as lost.
 * @param eventTimeout How long one event of a watch may take to arrive, from its first
 * byte to its last, before the watch is given up and opened again.
 * @param maxListConnections Number of connections to the API server that lists may use at
 * the same time, with Reactor Netty; watches have their own connections.
 * @param maxObjectSize Largest object that is accepted from the API server.
 * @param compression Which answers the server should compress: none, lists, or all, with
 * watches. This helps on slow links.
 * @param format Format in which objects are requested: JSON, CBOR when the server offers
 * it, or, as an experiment, protobuf for built-in types.
 * @since 0.1.0
 */
public record ApiServerProperties(@Nullable String url, @DefaultValue("false") boolean required,
		@Nullable String kubeconfig, @Nullable String context, @Nullable String token, @Nullable String tokenFile,
		@DefaultValue("false") boolean allowTokenOverHttp, @DefaultValue("allow") ExecPlugins execPlugins,
		@Nullable String sslBundle, @Nullable String namespace, @DefaultValue("http-1-1") HttpVersion httpVersion,
		@DefaultValue("10s") Duration connectTimeout, @Nullable Duration responseTimeout,
		@DefaultValue("85s") Duration idleTimeout, @DefaultValue("60s") Duration eventTimeout,
		@DefaultValue("16") int maxListConnections, @DefaultValue("16MB") DataSize maxObjectSize,
		@DefaultValue("none") Compression compression, @DefaultValue("json") ObjectFormat format) {

	private static final String URL = "reflector.api-server.url";

	/**
	 * Checks the values. Empty text counts as not set.
	 */
	public ApiServerProperties {
		url = PropertyChecks.textOrNull(url);
		kubeconfig = PropertyChecks.textOrNull(kubeconfig);
		context = PropertyChecks.textOrNull(context);
		token = PropertyChecks.textOrNull(token);
		tokenFile = PropertyChecks.textOrNull(tokenFile);
		sslBundle = PropertyChecks.textOrNull(sslBundle);
		namespace = PropertyChecks.textOrNull(namespace);
		requireUsable(url);
		requireOneToken(token, tokenFile);
		PropertyChecks.requirePositive("reflector.api-server.connect-timeout", connectTimeout);
		PropertyChecks.requireAtMost("reflector.api-server.connect-timeout", connectTimeout, 1);
		PropertyChecks.requirePositive("reflector.api-server.idle-timeout", idleTimeout);
		PropertyChecks.requirePositive("reflector.api-server.event-timeout", eventTimeout);
		if (responseTimeout == null) {
			Duration standard = Timeouts.defaults().response();
			responseTimeout = (idleTimeout.compareTo(standard) < 0) ? idleTimeout : standard;
		}
		PropertyChecks.requirePositive("reflector.api-server.response-timeout", responseTimeout);
		PropertyChecks.require(maxListConnections >= 1, "reflector.api-server.max-list-connections", maxListConnections,
				"It must be at least 1.");
		PropertyChecks.require(maxObjectSize.toBytes() > 0 && maxObjectSize.compareTo(DataSize.ofGigabytes(1)) <= 0,
				"reflector.api-server.max-object-size", maxObjectSize, "It must be between 1B and 1GB.");
	}

	private static void requireUsable(@Nullable String text) {
		if (text == null) {
			return;
		}
		URI url = parsed(text);
		// whatever Java takes for credentials: a text with '@' may contain a password,
		// and
		// a query or fragment may contain a token
		String shown = (text.matches("(?s).*[@?#].*")) ? "******" : text;
		if (url == null) {
			throw new InvalidConfigurationPropertyValueException(URL, shown,
					"It must be an absolute URL: begin it with 'https://' or 'http://'.");
		}
		if (url.getRawUserInfo() != null) {
			throw new InvalidConfigurationPropertyValueException(URL, shown,
					"It must not contain credentials; use 'reflector.api-server.token' instead.");
		}
		PropertyChecks.require("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()),
				URL, shown, "It must be an absolute URL: begin it with 'https://' or 'http://'.");
		PropertyChecks.require(url.getHost() != null, URL, shown, (url.getRawAuthority() != null)
				? "Java does not accept this host name, although kubectl does: use letters, digits and hyphens, with a "
						+ "letter at the beginning of the last part, or the address."
				: "It must name a host.");
		PropertyChecks.require(url.getRawQuery() == null && url.getRawFragment() == null, URL, shown,
				"It must have neither query nor fragment.");
	}

	/**
	 * Returns the URL as it was configured, including its path.
	 * @return the URL, or {@code null} if none is set
	 */
	public @Nullable URI uri() {
		return (this.url != null) ? parsed(this.url) : null;
	}

	private static @Nullable URI parsed(String text) {
		try {
			return new URI(text.strip());
		}
		catch (URISyntaxException ex) {
			// the exception is dropped, because its message quotes the URL, which may
			// contain a password
			return null;
		}
	}

	private static void requireOneToken(@Nullable String token, @Nullable String tokenFile) {
		MutuallyExclusiveConfigurationPropertiesException.throwIfMultipleNonNullValuesIn((entries) -> {
			entries.put("reflector.api-server.token", token);
			entries.put("reflector.api-server.token-file", tokenFile);
		});
	}

	/**
	 * Whether credential plugins may be run.
	 */
	public enum ExecPlugins {

		/**
		 * A plugin is run, as kubectl does.
		 */
		ALLOW,

		/**
		 * A plugin is not run. If a kubeconfig needs one, the start fails.
		 */
		DENY

	}

	/**
	 * Returns how long the server may take to begin to answer a request.
	 * @return the setting, or the default
	 */
	@Override
	public Duration responseTimeout() {
		return Objects.requireNonNull(this.responseTimeout);
	}

	private static @Nullable String shownPath(@Nullable String path) {
		return (path != null) ? ShownPath.of(path) : null;
	}

	/**
	 * Returns all settings except the token.
	 */
	@Override
	public String toString() {
		return "ApiServerProperties[url=" + this.url + ", required=" + this.required + ", kubeconfig="
				+ shownPath(this.kubeconfig) + ", context=" + this.context + ", token="
				+ ((this.token != null) ? "******" : null) + ", tokenFile=" + shownPath(this.tokenFile)
				+ ", allowTokenOverHttp=" + this.allowTokenOverHttp + ", execPlugins=" + this.execPlugins
				+ ", sslBundle=" + this.sslBundle + ", namespace=" + this.namespace + ", httpVersion="
				+ this.httpVersion + ", connectTimeout=" + this.connectTimeout + ", responseTimeout="
				+ this.responseTimeout + ", idleTimeout=" + this.idleTimeout + ", eventTimeout=" + this.eventTimeout
				+ ", maxListConnections=" + this.maxListConnections + ", maxObjectSize=" + this.maxObjectSize
				+ ", compression=" + this.compression + ", format=" + this.format + "]";
	}

}
