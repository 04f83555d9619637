package dev.reflector.actuate.endpoint;

import java.util.Set;

import dev.reflector.actuate.endpoint.ReflectorsEndpoint.ReflectorsDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} for the {@link ReflectorsEndpoint}:
 * knows who asks, and answers a request to an unknown reflector with 404 when it is a
 * POST, too.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = ReflectorsEndpoint.class)
public final class ReflectorsEndpointWebExtension {

	private static final int STATUS_CONFLICT = 409;

	private final ReflectorsEndpoint endpoint;

	private final Show showValues;

	private final Set<String> roles;

	/**
	 * Creates the extension.
	 * @param endpoint the endpoint
	 * @param showValues who sees what the sanitizer of the endpoint does not hide
	 * @param roles roles that authorize to see it, none when it is enough to be known
	 */
	public ReflectorsEndpointWebExtension(ReflectorsEndpoint endpoint, Show showValues, Set<String> roles) {
		this.endpoint = endpoint;
		this.showValues = showValues;
		this.roles = Set.copyOf(roles);
	}

	/**
	 * All reflectors.
	 * @param who asks
	 * @return the report
	 */
	@ReadOperation
	public ReflectorsDescriptor reflectors(SecurityContext who) {
		return this.endpoint.reflectors(isShownTo(who));
	}

	/**
	 * One reflector.
	 * @param who asks
	 * @param name its name
	 * @return the report, or {@code null} when there is no reflector of that name
	 */
	@ReadOperation
	public @Nullable ReflectorDescriptor reflector(SecurityContext who, @Selector String name) {
		return this.endpoint.reflector(name, isShownTo(who));
	}

	/**
	 * Asks a reflector to do something. Returns at once, but for {@code verify}.
	 * @param who asks
	 * @param name its name
	 * @param action {@code relist}, {@code resync}, {@code pause}, {@code resume} or
	 * {@code verify}
	 * @return where the reflector stands after the request, or what came of
	 * {@code verify}; with status 409 when the reflector is stopped and so does nothing;
	 * or status 404
	 */
	@WriteOperation
	public WebEndpointResponse<OperationResponseBody> act(SecurityContext who, @Selector String name, String action) {
		ReflectorsEndpoint.Answer answer = this.endpoint.act(who, name, action, isShownTo(who));
		if (answer == null) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		return new WebEndpointResponse<>(answer.body(),
				answer.ignored() ? STATUS_CONFLICT : WebEndpointResponse.STATUS_OK);
	}

	private boolean isShownTo(SecurityContext who) {
		return this.showValues.isShown(who, this.roles);
	}

}
