package dev.reflector.autoconfigure.internal.connection;

import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * The proxies that environment variables name. The variables are read by the rules of Go,
 * because kubectl follows these rules.
 *
 * @param secure whether there is a proxy for https
 * @param plain whether there is a proxy for http
 * @param exceptions hosts, domains and networks that are reached without a proxy
 */
record UnusedProxy(boolean secure, boolean plain, List<String> exceptions) {

	/**
	 * Reads the variables.
	 * @param variables returns the value of a variable, or {@code null} if it is not set
	 * @return the proxies
	 */
	static UnusedProxy of(Function<String, @Nullable String> variables) {
		String upper = variables.apply("NO_PROXY");
		String exceptions = StringUtils.hasText(upper) ? upper : variables.apply("no_proxy");
		return new UnusedProxy(isNamed(variables, "HTTPS_PROXY"), isNamed(variables, "HTTP_PROXY"),
				(exceptions != null) ? Arrays.stream(exceptions.split(","))
					.map((entry) -> entry.strip().toLowerCase(Locale.ROOT))
					.filter(StringUtils::hasText)
					.toList() : List.of());
	}

	private static boolean isNamed(Function<String, @Nullable String> variables, String variable) {
		return StringUtils.hasText(variables.apply(variable))
				|| StringUtils.hasText(variables.apply(variable.toLowerCase(Locale.ROOT)));
	}

	/**
	 * Whether kubectl would use a proxy for a server. If the host of the server is an
	 * address, each network among the exceptions is assumed to contain that address.
	 * @param server the server
	 * @return whether kubectl would use a proxy
	 */
	boolean isFor(URI server) {
		String host = server.getHost().toLowerCase(Locale.ROOT);
		boolean address = host.startsWith("[") || host.matches("[0-9.]+");
		boolean named = "https".equalsIgnoreCase(server.getScheme()) ? this.secure : this.plain;
		return named && !isLoopback(host)
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
