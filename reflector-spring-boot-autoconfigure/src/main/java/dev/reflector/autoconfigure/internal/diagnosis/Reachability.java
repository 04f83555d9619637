package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Describes how the endpoint and the console can be reached, for the report at the start.
 */
final class Reachability {

	private static final String ENDPOINTS = "org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints";

	private static final String CONSOLE = "dev.reflector.console.ReflectorConsoleAutoConfiguration";

	private static final String EXPOSURE = "management.endpoints.web.exposure.";

	private static final String NO_WEB_SERVER = "no web server, so it cannot be reached: add "
			+ "'org.springframework.boot:spring-boot-starter-webmvc'";

	private final ApplicationContext context;

	private final Environment environment;

	private final @Nullable WebAddresses web;

	Reachability(ApplicationContext context) {
		this.context = context;
		this.environment = context.getEnvironment();
		this.web = WebAddresses.of(context);
	}

	/**
	 * Returns the address of the endpoint or, if it cannot be reached, a text that says
	 * why and what to set.
	 */
	String endpoint() {
		if (!isPresent(ENDPOINTS)) {
			return "not there: add 'org.springframework.boot:spring-boot-starter-actuator'";
		}
		if (this.web == null) {
			return NO_WEB_SERVER + (isExposed() ? "" : ", and set " + exposure());
		}
		if (!isExposed()) {
			return "not exposed: set " + exposure();
		}
		String path = EndpointPath.of(this.context);
		if (path == null) {
			return "not there: its access is 'none', see 'management.endpoint.reflectors.access' and "
					+ "'management.endpoints.access.default'";
		}
		String address = this.web.ofManagement(path);
		return (address != null) ? address : "'management.server.port' is negative, so it cannot be reached";
	}

	private boolean isExposed() {
		return names("include", List.of("health")) && !names("exclude", List.of());
	}

	private boolean names(String which, List<String> otherwise) {
		return Binder.get(this.environment)
			.bind(EXPOSURE + which, Bindable.listOf(String.class))
			.orElse(otherwise)
			.stream()
			.map(String::strip)
			.anyMatch((name) -> name.equals("*") || name.equals("reflectors"));
	}

	private static String exposure() {
		return "'" + EXPOSURE + "include=health,reflectors'";
	}

	/**
	 * Returns the address of the console or, if it cannot be reached, a text that says
	 * why. Returns {@code null} if there is no console.
	 */
	@Nullable String console() {
		if (!isPresent(CONSOLE) || !this.environment.getProperty("reflector.console.enabled", Boolean.class, false)) {
			return null;
		}
		return (this.web != null)
				? this.web.ofApplication(this.environment.getProperty("reflector.console.path", "/reflectors"))
				: NO_WEB_SERVER;
	}

	private boolean isPresent(String type) {
		return ClassUtils.isPresent(type, this.context.getClassLoader());
	}

	/**
	 * Finds the path of the endpoint. This is a separate class, so that it is not loaded
	 * if the actuator is not on the class path.
	 */
	private static final class EndpointPath {

		private static @Nullable String of(BeanFactory beanFactory) {
			PathMappedEndpoints endpoints = beanFactory.getBeanProvider(PathMappedEndpoints.class).getIfAvailable();
			return (endpoints != null) ? endpoints.getPath(EndpointId.of("reflectors")) : null;
		}

	}

}
