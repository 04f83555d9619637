package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.web.context.reactive.ReactiveWebApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.web.context.WebApplicationContext;

/**
 * Addresses of the web server, as a user on the same machine enters them. If the port is
 * not known, as in a servlet container, an address is only a path.
 *
 * @param environment the environment with ports and paths
 */
record WebAddresses(Environment environment) {

	/**
	 * Finds the addresses of an application.
	 * @param context the application
	 * @return the addresses, or {@code null} if it is not a web application
	 */
	static @Nullable WebAddresses of(ApplicationContext context) {
		return (context instanceof WebApplicationContext || context instanceof ReactiveWebApplicationContext)
				? new WebAddresses(context.getEnvironment()) : null;
	}

	/**
	 * Returns the address of a page of the application.
	 * @param path path of the page
	 * @return the address
	 */
	String ofApplication(String path) {
		return server("server.", this.environment.getProperty("local.server.port")) + basePath() + path;
	}

	/**
	 * Returns the address of an endpoint.
	 * @param path path of the endpoint
	 * @return the address, or {@code null} if endpoints have no port
	 */
	@Nullable String ofManagement(String path) {
		String port = this.environment.getProperty("management.server.port");
		if (!StringUtils.hasText(port) || port.equals(this.environment.getProperty("server.port"))) {
			return ofApplication(path);
		}
		return port.startsWith("-") ? null
				: server("management.server.", this.environment.getProperty("local.management.port"))
						+ text("management.server.base-path") + path;
	}

	private String server(String prefix, @Nullable String port) {
		if (port == null) {
			return "";
		}
		boolean tls = Stream.of("bundle", "key-store", "certificate")
			.anyMatch((name) -> this.environment.containsProperty(prefix + "ssl." + name))
				&& this.environment.getProperty(prefix + "ssl.enabled", Boolean.class, true);
		String address = text(prefix + "address");
		return (tls ? "https://" : "http://") + (address.isEmpty() ? "localhost" : address) + ":" + port;
	}

	private String basePath() {
		String servlet = text("spring.mvc.servlet.path");
		return text("server.servlet.context-path") + (servlet.equals("/") ? "" : servlet)
				+ text("spring.webflux.base-path");
	}

	private String text(String property) {
		return this.environment.getProperty(property, "").strip();
	}

}
