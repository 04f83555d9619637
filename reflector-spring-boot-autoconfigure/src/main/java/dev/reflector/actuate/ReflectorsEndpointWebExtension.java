package dev.reflector.actuate;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} for the {@link ReflectorsEndpoint}:
 * a request to an unknown reflector is answered with 404 when it is a POST, too.
 */
@EndpointWebExtension(endpoint = ReflectorsEndpoint.class)
public final class ReflectorsEndpointWebExtension {

	private final ReflectorsEndpoint endpoint;

	/**
	 * Creates the extension.
	 * @param endpoint the endpoint
	 */
	public ReflectorsEndpointWebExtension(ReflectorsEndpoint endpoint) {
		this.endpoint = endpoint;
	}

	/**
	 * Asks a reflector to do something. Returns at once, but for {@code verify}.
	 * @param name its name
	 * @param action {@code relist}, {@code resync}, {@code pause}, {@code resume} or
	 * {@code verify}
	 * @return where the reflector stands after the request, or what came of
	 * {@code verify}, or status 404
	 */
	@WriteOperation
	public WebEndpointResponse<OperationResponseBody> act(@Selector String name, String action) {
		OperationResponseBody descriptor = this.endpoint.act(name, action);
		return (descriptor != null) ? new WebEndpointResponse<>(descriptor)
				: new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
	}

}
