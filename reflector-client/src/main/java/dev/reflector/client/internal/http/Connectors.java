package dev.reflector.client.internal.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.List;

import dev.reflector.client.credentials.KubeconfigException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.http.client.reactive.JdkClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.util.ClassUtils;

/**
 * Makes connectors with the HTTP library that the application has chosen, and tells it
 * what is different about watches: they last, say nothing for a long time, need a
 * connection each, and must not be decompressed behind our back (W-64).
 */
public interface Connectors {

	/**
	 * Makes connectors.
	 * @param bundle trust and client certificate, or {@code null} for the defaults of the
	 * JVM
	 * @return new connectors
	 */
	Made make(@Nullable SslBundle bundle);

	/**
	 * Whether a connection could not be made in time.
	 * @param failure one exception, not its causes
	 * @return whether that is what it says
	 */
	boolean isConnectTimeout(Throwable failure);

	/**
	 * Whether a connection was made, and TLS was not agreed on in time.
	 * @param failure one exception, not its causes
	 * @return whether that is what it says
	 */
	default boolean isHandshakeTimeout(Throwable failure) {
		return false;
	}

	/**
	 * Whether a proxy was reached but makes no connection.
	 * @param failure one exception, not its causes
	 * @return whether that is what it says
	 */
	default boolean isProxyRefusal(Throwable failure) {
		return false;
	}

	/**
	 * Finds out which library the application has chosen.
	 * @param builder the builder, which is left as it is
	 * @param plan what the connectors are to be like
	 * @return what makes them
	 * @throws KubeconfigException when the library cannot make such connectors
	 */
	static Connectors of(ClientHttpConnectorBuilder<?> builder, ConnectorPlan plan) {
		if (builder instanceof JdkClientHttpConnectorBuilder jdk) {
			return new JdkConnectors(jdk, plan);
		}
		Connectors optional = null;
		if (Present.REACTOR_NETTY) {
			optional = ReactorNettyConnectors.of(builder, plan);
		}
		if (optional == null && Present.JETTY) {
			optional = JettyConnectors.of(builder, plan);
		}
		return (optional != null) ? optional : other(builder, plan);
	}

	private static Connectors other(ClientHttpConnectorBuilder<?> builder, ConnectorPlan plan) {
		String library = ClassUtils.getShortName(builder.getClass());
		plan.requireDirectRoute(library);
		plan.requireHttp1(library);
		return new Connectors() {

			@Override
			public Made make(@Nullable SslBundle bundle) {
				ClientHttpConnector connector = builder.build(plan.settings().apply(bundle));
				return Made.shared(connector, () -> close(connector));
			}

			@Override
			public boolean isConnectTimeout(Throwable failure) {
				return failure instanceof SocketTimeoutException;
			}

		};
	}

	private static void close(ClientHttpConnector connector) {
		if (connector instanceof Closeable closeable) {
			try {
				closeable.close();
			}
			catch (IOException ex) {
				LoggerFactory.getLogger(Connectors.class).debug("A connector could not be closed", ex);
			}
		}
	}

	/**
	 * Connectors that were made, with connections of their own. In a pool shared with
	 * others, what was made with certificates that are gone would stay for ever.
	 *
	 * @param lists for answers that have an end
	 * @param watches for streams
	 * @param close gives back what the connectors hold, when no request uses them any
	 * more
	 * @param warmUp makes what the first request would make otherwise, as far as that
	 * takes long and needs no server
	 */
	record Made(ClientHttpConnector lists, ClientHttpConnector watches, Runnable close, Runnable warmUp) {

		static Made shared(ClientHttpConnector connector, Runnable close) {
			return new Made(connector, connector, close, () -> {
			});
		}

		/** For libraries that end their connections when nobody refers to them. */
		static Made collected(ClientHttpConnector connector) {
			return shared(connector, () -> {
			});
		}

	}

	/**
	 * Which of the optional libraries are there.
	 */
	final class Present {

		/** A type of each library, by which it is known to be there. */
		static final List<String> TYPES = List.of("reactor.netty.http.client.HttpClient",
				"org.eclipse.jetty.reactive.client.ReactiveRequest");

		private static final boolean REACTOR_NETTY = isPresent(TYPES.get(0));

		private static final boolean JETTY = isPresent(TYPES.get(1));

		private Present() {
		}

		private static boolean isPresent(String type) {
			return ClassUtils.isPresent(type, Connectors.class.getClassLoader());
		}

	}

}
