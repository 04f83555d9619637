package dev.reflector.autoconfigure;

import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.Reflector;
import dev.reflector.ResourceType;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.actuate.endpoint.ReflectorsEndpointWebExtension;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorStartupRunner;
import dev.reflector.autoconfigure.internal.registration.ReflectorFactory;
import dev.reflector.autoconfigure.internal.registration.ReflectorConfigurer;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.client.ApiServerClient;
import dev.reflector.event.DeliveryPolicy;
import dev.reflector.leaderelection.LeaderElectionConfig;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.sharding.membership.ShardMembership;
import dev.reflector.sharding.membership.ShardMembershipConfig;
import reactor.core.publisher.Mono;

import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.reflect.OperationMethod;
import org.springframework.boot.actuate.endpoint.invoker.cache.CachingOperationInvokerAdvisor;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.util.UriComponentsBuilder;

import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * The parts of an application that {@link PropertyEffects} look at. The requests of its
 * reflectors are recorded and never answered.
 */
record BuiltApplication(AssertableApplicationContext context) {

	boolean isRunning() {
		return this.context.getStartupFailure() == null;
	}

	boolean hasBean(String name) {
		return this.context.containsBean(name);
	}

	int reflectors() {
		return this.context.getBeansOfType(Reflector.class).size();
	}

	ResourceType resourceType() {
		return widgets().resourceType();
	}

	int startedReflectors() {
		return this.context.getBean(ReflectorLifecycle.class).started().size();
	}

	boolean isKeptAlive() {
		return part(this.context.getBean(ReflectorLifecycle.class), "alive") != null;
	}

	/** As the last customizer gets them. */
	ReflectorOptions options() {
		return this.context.getBean(Recorders.class).options.get("widgets");
	}

	DeliveryPolicy deliveryPolicy() {
		return this.context.getBean(ReflectorConfigurer.class).deliveryPolicy();
	}

	boolean isDurable() {
		return widgets().durability() != null;
	}

	@SuppressWarnings("unchecked")
	SnapshotOptions<?> snapshot() {
		return this.context.getBean(ReflectorConfigurer.class)
			.snapshots()
			.settings()
			.options(mock(SnapshotStore.class), mock(SnapshotCodec.class));
	}

	/** The first snapshot that is opened. */
	String snapshotName() {
		List<String> names = this.context.getBean(Recorders.class).snapshots;
		await().until(() -> !names.isEmpty());
		return names.get(0);
	}

	/** What the elector is made with. */
	LeaderElectionConfig election() {
		return this.context.getBean(ReflectorLeaderElectionProperties.class).config();
	}

	/** What the membership is made with. */
	ShardMembershipConfig shards() {
		return this.context.getBean(ReflectorShardingProperties.class).leases().config();
	}

	LeaderElector elector() {
		return this.context.getBean(LeaderElector.class);
	}

	ShardMembership membership() {
		return this.context.getBean(ShardMembership.class);
	}

	private SharedInformer<?> widgets() {
		return this.context.getBean("widgetReflector", SharedInformer.class);
	}

	ApiServerClient client() {
		return this.context.getBean(ApiServerConnection.class).client().orElseThrow();
	}

	/** Whether the client has the token, which it must not send. */
	String tokenOverHttp() {
		return part(client(), "exchange", "token").getClass().getSimpleName();
	}

	/** A part of the factory of reflectors, by names of fields. */
	Object factory(String... path) {
		return part(this.context.getBean(ReflectorFactory.class), path);
	}

	String trust() {
		return ClassUtils
			.getShortName(this.context.getBean(ReflectorConnectionDetails.class).getApiServer().ssl().getClass());
	}

	/** The first request for objects of a plural. */
	ClientRequest request(String plural) {
		List<ClientRequest> requests = this.context.getBean(Recorders.class).requests;
		await().until(() -> requests.stream().anyMatch((request) -> isFor(plural, request)));
		return requests.stream().filter((request) -> isFor(plural, request)).findFirst().orElseThrow();
	}

	private static boolean isFor(String plural, ClientRequest request) {
		return request.url().getPath().endsWith("/" + plural);
	}

	String authority() {
		return request("widgets").url().getAuthority();
	}

	String path() {
		return request("widgets").url().getPath();
	}

	List<String> query(String name) {
		return UriComponentsBuilder.fromUri(request("widgets").url()).build().getQueryParams().get(name);
	}

	List<String> header(String name) {
		return request("widgets").headers().get(name);
	}

	Object health(String field) {
		return part(this.context.getBean("reflectorsHealthContributor", CompositeHealthContributor.class)
			.getContributor("widgets"), field);
	}

	Object endpoint(String field) {
		return part(this.context.getBean(ReflectorsEndpointWebExtension.class), field);
	}

	boolean isEndpointCached() {
		return isEndpointCached("reflectors");
	}

	boolean isEndpointCached(String endpoint) {
		OperationInvoker invoker = (invocation) -> "";
		OperationMethod method = new OperationMethod(
				ClassUtils.getMethod(ReflectorsEndpoint.class, "reflectors", new Class<?>[0]), OperationType.READ);
		return this.context.getBean(CachingOperationInvokerAdvisor.class)
			.apply(EndpointId.of(endpoint), OperationType.READ, method.getParameters(), invoker) != invoker;
	}

	/** Whether the start waits; its timeout is over at once. */
	boolean isAwaited() {
		Thread.currentThread().interrupt();
		try {
			this.context.getBean(ReflectorStartupRunner.class).run(new DefaultApplicationArguments());
			return false;
		}
		catch (InterruptedException ex) {
			return true;
		}
		finally {
			Thread.interrupted();
		}
	}

	private static Object part(Object whole, String... path) {
		Object part = whole;
		for (String field : path) {
			part = ReflectionTestUtils.getField(part, field);
		}
		return part;
	}

	@Configuration(proxyBeanMethods = false)
	static class Recorders {

		final List<ClientRequest> requests = new CopyOnWriteArrayList<>();

		final List<String> snapshots = new CopyOnWriteArrayList<>();

		final Map<String, ReflectorOptions> options = new ConcurrentHashMap<>();

		@Bean
		@Order
		ReflectorOptionsCustomizer recordOptions() {
			return (reflector, options) -> this.options.put(reflector, options.build());
		}

		@Bean
		WebClientCustomizer recordRequests() {
			return (builder) -> builder.filter((request, next) -> {
				this.requests.add(request);
				// a replica waits for the answer before it leaves
				return isFor("leases", request) ? Mono.error(new ConnectException("refused")) : Mono.never();
			});
		}

		@Bean
		SnapshotStore storeThatIsAway() {
			return new SnapshotStore() {

				@Override
				public Snapshot open(String reflector) {
					Recorders.this.snapshots.add(reflector);
					throw new SnapshotException("the store is away", null);
				}

				@Override
				public String location() {
					return "nowhere";
				}

			};
		}

	}

}
