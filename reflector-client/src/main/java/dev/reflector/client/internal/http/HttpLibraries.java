package dev.reflector.client.internal.http;

import java.util.List;

import dev.reflector.client.credentials.KubeconfigException;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.JdkClientHttpConnectorBuilder;
import org.springframework.util.ClassUtils;

/**
 * Finds out which HTTP library the application has chosen. Reactor Netty and Jetty may be
 * absent, so their classes are loaded only if they exist.
 */
public final class HttpLibraries {

	/** A type of each optional library. If the type exists, the library exists. */
	static final List<String> TYPES = List.of("reactor.netty.http.client.HttpClient",
			"org.eclipse.jetty.reactive.client.ReactiveRequest");

	private static final boolean REACTOR_NETTY = isPresent(TYPES.get(0));

	private static final boolean JETTY = isPresent(TYPES.get(1));

	private HttpLibraries() {
	}

	/**
	 * Returns the library that the application has chosen.
	 * @param builder the builder, which is not changed
	 * @param plan the requirements for the connectors
	 * @return the library
	 * @throws KubeconfigException if the library does not support the requirements
	 */
	public static HttpLibrary of(ClientHttpConnectorBuilder<?> builder, ConnectorPlan plan) {
		if (builder instanceof JdkClientHttpConnectorBuilder jdk) {
			return new JdkLibrary(jdk, plan);
		}
		HttpLibrary optional = null;
		if (REACTOR_NETTY) {
			optional = ReactorNettyLibrary.of(builder, plan);
		}
		if (optional == null && JETTY) {
			optional = JettyLibrary.of(builder, plan);
		}
		return (optional != null) ? optional : new OtherLibrary(builder, plan);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, HttpLibraries.class.getClassLoader());
	}

}
