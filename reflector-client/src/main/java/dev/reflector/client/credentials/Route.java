package dev.reflector.client.credentials;

import java.net.URI;

import org.jspecify.annotations.Nullable;

/**
 * How connections to an API server are made. Its {@code toString()} shows no password.
 *
 * @param proxy proxy to connect through, a URL with {@code http}, {@code https} or
 * {@code socks5}, host and port, and perhaps user and password; {@code null} for none
 * @param serverName name that is sent to the server (SNI) and for which its certificate
 * must be valid; {@code null} for the host of the URL
 * @since 0.1.0
 */
public record Route(@Nullable URI proxy, @Nullable String serverName) {

	/** The route to the host of the URL, without a proxy. */
	public static final Route DIRECT = new Route(null, null);

	@Override
	public String toString() {
		String name = (this.serverName != null) ? "as " + this.serverName : "";
		if (this.proxy == null) {
			return name.isEmpty() ? "direct" : name;
		}
		return "through " + this.proxy.getScheme() + "://" + this.proxy.getHost() + ":" + this.proxy.getPort()
				+ (name.isEmpty() ? "" : " " + name);
	}

}
