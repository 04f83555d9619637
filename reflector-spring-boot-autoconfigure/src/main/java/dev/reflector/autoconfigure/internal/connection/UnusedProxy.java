package dev.reflector.autoconfigure.internal.connection;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

import org.springframework.util.StringUtils;

/**
 * The proxy for encrypted connections that environment variables name, by the rules of
 * Go, which kubectl follows.
 *
 * @param named whether one is named
 * @param exceptions hosts, domains and networks that are reached without it
 */
record UnusedProxy(boolean named, List<String> exceptions) {

	/**
	 * Reads the variables.
	 * @param variables gives the value of a variable, {@code null} for none
	 * @return the proxy
	 */
	static UnusedProxy of(UnaryOperator<String> variables) {
		boolean named = StringUtils.hasText(variables.apply("HTTPS_PROXY"))
				|| StringUtils.hasText(variables.apply("https_proxy"));
		String upper = variables.apply("NO_PROXY");
		String exceptions = StringUtils.hasText(upper) ? upper : variables.apply("no_proxy");
		return new UnusedProxy(named,
				(exceptions != null) ? Arrays.stream(exceptions.split(","))
					.map((entry) -> entry.strip().toLowerCase(Locale.ROOT))
					.filter(StringUtils::hasText)
					.toList() : List.of());
	}

	/**
	 * Whether kubectl would use it. A network among the exceptions is taken for one that
	 * has the server, if the server is an address.
	 * @param server the server
	 * @return whether it would
	 */
	boolean isFor(URI server) {
		String host = server.getHost().toLowerCase(Locale.ROOT);
		boolean address = host.startsWith("[") || host.matches("[0-9.]+");
		return this.named && "https".equalsIgnoreCase(server.getScheme()) && !isLoopback(host)
				&& this.exceptions.stream().noneMatch((entry) -> excepts(entry, host, address));
	}

	private static boolean isLoopback(String host) {
		return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
	}

	private static boolean excepts(String entry, String host, boolean address) {
		if (entry.indexOf('/') >= 0) {
			return address;
		}
		String name = entry.replaceAll(":\\d+$", "").replaceAll("^[*]?[.]", "");
		return entry.equals("*") || host.equals(name) || host.endsWith("." + name);
	}

}
