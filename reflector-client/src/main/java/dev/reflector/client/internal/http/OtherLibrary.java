package dev.reflector.client.internal.http;

import java.io.Closeable;
import java.io.IOException;
import java.net.SocketTimeoutException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.util.ClassUtils;

/**
 * An HTTP library without special support. The connectors of its builder are used without
 * changes.
 */
final class OtherLibrary implements HttpLibrary {

	private static final Logger logger = LoggerFactory.getLogger(OtherLibrary.class);

	private final ClientHttpConnectorBuilder<?> builder;

	private final ConnectorPlan plan;

	OtherLibrary(ClientHttpConnectorBuilder<?> builder, ConnectorPlan plan) {
		String library = ClassUtils.getShortName(builder.getClass());
		plan.requireDirectRoute(library);
		plan.requireHttp1(library);
		this.builder = builder;
		this.plan = plan;
	}

	@Override
	public Connectors connectors(@Nullable SslBundle bundle) {
		ClientHttpConnector connector = this.builder.build(this.plan.settings().apply(bundle));
		return Connectors.shared(connector, () -> close(connector));
	}

	@Override
	public boolean isConnectTimeout(Throwable failure) {
		return failure instanceof SocketTimeoutException;
	}

	private static void close(ClientHttpConnector connector) {
		if (connector instanceof Closeable closeable) {
			try {
				closeable.close();
			}
			catch (IOException ex) {
				logger.debug("The HTTP connector could not be closed", ex);
			}
		}
	}

}
