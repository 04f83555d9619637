package dev.reflector.actuate.endpoint;

import java.util.Objects;
import java.util.Set;

import dev.reflector.actuate.endpoint.ReflectorsEndpoint.ReflectorsDescriptor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} for the {@link ReflectorsEndpoint}
 * with Spring MVC or Jersey. The extension shows values only to users who may see them,
 * and also answers a POST for an unknown reflector with 404.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = ReflectorsEndpoint.class)
public final class ReflectorsEndpointWebExtension {

	private final ReflectorsEndpoint endpoint;

	private final Show showValues;

	private final Set<String> roles;

	/**
	 * Creates the extension.
	 * @param endpoint the endpoint
	 * @param showValues which users see the texts that the sanitizer does not hide
	 * @param roles roles whose users may see the texts if {@code showValues} is
	 * {@code when-authorized}, empty for all authenticated users
	 */
	public ReflectorsEndpointWebExtension(ReflectorsEndpoint endpoint, Show showValues, Set<String> roles) {
		this.endpoint = endpoint;
		this.showValues = showValues;
		this.roles = Set.copyOf(roles);
	}

	/**
	 * Reports all reflectors.
	 * @param who the user who sent the request
	 * @return the report
	 */
	@ReadOperation
	public ReflectorsDescriptor reflectors(SecurityContext who) {
		return this.endpoint.reflectors(isShownTo(who));
	}

	/**
	 * Reports one reflector.
	 * @param who the user who sent the request
	 * @param name name of the reflector
	 * @return the report, or {@code null} if there is no reflector of that name
	 */
	@ReadOperation
	public @Nullable ReflectorDescriptor reflector(SecurityContext who, @Selector String name) {
		return this.endpoint.reflector(name, isShownTo(who));
	}

	/**
	 * Runs an operation of a reflector. Returns at once. With Spring MVC, no thread waits
	 * for the result of {@code verify}.
	 * @param who the user who sent the request
	 * @param name name of the reflector
	 * @param action {@code relist}, {@code resync}, {@code pause}, {@code resume},
	 * {@code verify} or, for a stopped reflector, {@code reset-snapshot}
	 * @return a {@link WebEndpointResponse} with the status of the reflector after the
	 * operation. The HTTP status is 409 if the reflector is stopped and ignores the
	 * operation, or if the snapshot cannot be reset now, and 404 if there is no reflector
	 * of that name. For {@code verify}, a {@link Mono} that completes within 25 seconds
	 * with the result, or with the message that there is no result yet
	 */
	@WriteOperation
	public Object act(SecurityContext who, @Selector String name, String action) {
		Mono<ReflectorsEndpoint.Answer> operation = this.endpoint.act(who, name, action, isShownTo(who));
		if (operation == null) {
			return new WebEndpointResponse<>(WebEndpointResponse.STATUS_NOT_FOUND);
		}
		return action.equals(ReflectorOperations.VERIFY) ? operation.map(ReflectorsEndpoint.Answer::body)
				: Objects.requireNonNull(operation.block()).response();
	}

	private boolean isShownTo(SecurityContext who) {
		return this.showValues.isShown(who, this.roles);
	}

}
