package dev.reflector.client.credentials;

import java.net.URI;

import org.jspecify.annotations.Nullable;

/**
 * How connections to an API server are made. Its {@code toString()} shows no password.
 *
 * @param proxy the URL of the proxy, with the scheme {@code http}, {@code https} or
 * {@code socks5}, host and port, and perhaps user and password; {@code null} for no proxy
 * @param serverName the name that is sent to the server (SNI); the server's certificate
 * must be valid for it; {@code null} for the host of the server's URL
 * @since 0.1.0
 */
public record Route(@Nullable URI proxy, @Nullable String serverName) {

	/**
	 * The route without a proxy, with the host of the server's URL as the server name.
	 */
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
