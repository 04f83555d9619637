package dev.reflector.actuate.endpoint;

import java.util.Set;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

import dev.reflector.actuate.endpoint.ReflectorsEndpoint.ReflectorsDescriptor;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * {@link EndpointWebExtension @EndpointWebExtension} for the {@link ReflectorsEndpoint}
 * with WebFlux. Runs operations on up to four separate threads, because the shared
 * threads of Reactor may be busy with other work. Idle threads end.
 *
 * @since 0.1.0
 */
@EndpointWebExtension(endpoint = ReflectorsEndpoint.class)
public final class ReactiveReflectorsEndpointWebExtension implements DisposableBean {

	private static final int THREADS = 4;

	private static final int MOST_WAITING = 1000;

	private static final long IDLE_SECONDS = 10;

	private final ReflectorsEndpoint endpoint;

	private final ReflectorsEndpointWebExtension reads;

	private final Show showValues;

	private final Set<String> roles;

	private final Scheduler threads = threads();

	/**
	 * Creates the extension.
	 * @param endpoint the endpoint
	 * @param showValues which users see the texts that the sanitizer does not hide
	 * @param roles roles whose users may see the texts if {@code showValues} is
	 * {@code when-authorized}, empty for all authenticated users
	 */
	public ReactiveReflectorsEndpointWebExtension(ReflectorsEndpoint endpoint, Show showValues, Set<String> roles) {
		this.endpoint = endpoint;
		this.reads = new ReflectorsEndpointWebExtension(endpoint, showValues, roles);
		this.showValues = showValues;
		this.roles = Set.copyOf(roles);
	}

	private static Scheduler threads() {
		CustomizableThreadFactory factory = new CustomizableThreadFactory("reflector-operations-");
		factory.setDaemon(true);
		ThreadPoolExecutor threads = new ThreadPoolExecutor(THREADS, THREADS, IDLE_SECONDS, TimeUnit.SECONDS,
				new LinkedBlockingQueue<>(MOST_WAITING), factory);
		threads.allowCoreThreadTimeOut(true);
		return Schedulers.fromExecutorService(threads);
	}

	/**
	 * Reports all reflectors.
	 * @param who the user who sent the request
	 * @return the report
	 */
	@ReadOperation
	public ReflectorsDescriptor reflectors(SecurityContext who) {
		return this.reads.reflectors(who);
	}

	/**
	 * Reports one reflector.
	 * @param who the user who sent the request
	 * @param name name of the reflector
	 * @return the report, or {@code null} if there is no reflector of that name
	 */
	@ReadOperation
	public @Nullable ReflectorDescriptor reflector(SecurityContext who, @Selector String name) {
		return this.reads.reflector(who, name);
	}

	/**
	 * Runs an operation of a reflector. No thread waits for the result of {@code verify}.
	 * @param who the user who sent the request
	 * @param name name of the reflector
	 * @param action {@code relist}, {@code resync}, {@code pause}, {@code resume},
	 * {@code verify} or, for a stopped reflector, {@code reset-snapshot}
	 * @return the status of the reflector after the operation. For {@code verify}, the
	 * result of the comparison, or after 25 seconds a message that there is no result
	 * yet. The HTTP status is 409 if the reflector is stopped and ignores the operation,
	 * or if the snapshot cannot be reset now, and 404 if there is no reflector of that
	 * name
	 */
	@WriteOperation
	public Mono<WebEndpointResponse<OperationResponseBody>> act(SecurityContext who, @Selector String name,
			String action) {
		return Mono.defer(() -> {
			Mono<ReflectorsEndpoint.Answer> operation = this.endpoint.act(who, name, action,
					this.showValues.isShown(who, this.roles));
			return (operation != null) ? operation.map(ReflectorsEndpoint.Answer::response)
					: Mono.just(new WebEndpointResponse<OperationResponseBody>(WebEndpointResponse.STATUS_NOT_FOUND));
		}).subscribeOn(this.threads);
	}

	@Override
	public void destroy() {
		this.threads.dispose();
	}

}
