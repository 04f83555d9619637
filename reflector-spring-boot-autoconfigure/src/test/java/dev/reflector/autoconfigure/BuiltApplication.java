package dev.reflector.autoconfigure;

import java.net.ConnectException;
import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ReflectorStatus;
import dev.reflector.ResourceType;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.actuate.endpoint.ReflectorsEndpointWebExtension;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorStartupRunner;
import dev.reflector.autoconfigure.internal.registration.ReflectorConfigurer;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.snapshot.Snapshot;
import dev.reflector.cache.snapshot.SnapshotCodec;
import dev.reflector.cache.snapshot.SnapshotException;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.client.ApiServerClient;
import dev.reflector.event.DeliveryPolicy;
import dev.reflector.fixture.FakeReflector;
import dev.reflector.leaderelection.LeaderElectionConfig;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.sharding.membership.ShardMembership;
import dev.reflector.sharding.membership.ShardMembershipConfig;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.DefaultApplicationArguments;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.reflect.OperationMethod;
import org.springframework.boot.actuate.endpoint.invoker.cache.CachingOperationInvokerAdvisor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.util.UriComponentsBuilder;

import static org.awaitility.Awaitility.await;
import static org.mockito.BDDMockito.given;
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
		Set<Thread> before = recorders().threadsBefore;
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.anyMatch((thread) -> thread.getName().equals("reflector-keep-alive") && !before.contains(thread));
	}

	/** Returns the options as the last customizer gets them. */
	ReflectorOptions options() {
		return recorders().options.get("widgets");
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
		List<String> names = recorders().snapshots;
		await().until(() -> !names.isEmpty());
		return names.get(0);
	}

	/** Returns the configuration of the elector. */
	LeaderElectionConfig election() {
		return this.context.getBean(ReflectorLeaderElectionProperties.class).config();
	}

	/** Returns the configuration of the membership. */
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

	/** Whether the log warns of the token that a request has sent. */
	boolean isTokenWarnedOf() {
		request("widgets");
		return recorders().clientLog.list.stream()
			.anyMatch((event) -> event.getMessage().contains("'reflector.api-server.allow-token-over-http'"));
	}

	String trust() {
		return ClassUtils
			.getShortName(this.context.getBean(ReflectorConnectionDetails.class).getApiServer().ssl().getClass());
	}

	/** The first request for objects of a plural. */
	ClientRequest request(String plural) {
		List<ClientRequest> requests = recorders().requests;
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

	/** The health of a reflector that has a status. */
	Status health(ReflectorStatus status) {
		recorders().reported.become(status);
		HealthIndicator indicator = (HealthIndicator) this.context
			.getBean("reflectorsHealthContributor", CompositeHealthContributor.class)
			.getContributor("reported");
		return indicator.health().getStatus();
	}

	/** Returns the error that the endpoint shows to a user without a role. */
	ReflectorStatus.LastError endpointError() {
		recorders().reported
			.become(FakeReflector.status(ReflectorState.WATCHING, true, null, FakeReflector.forbidden()));
		SecurityContext user = mock(SecurityContext.class);
		given(user.getPrincipal()).willReturn(mock(Principal.class));
		return this.context.getBean(ReflectorsEndpointWebExtension.class).reflector(user, "reported").lastError();
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

	private Recorders recorders() {
		return this.context.getBean(Recorders.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class Recorders implements DisposableBean {

		final Set<Thread> threadsBefore = Thread.getAllStackTraces().keySet();

		final ListAppender<ILoggingEvent> clientLog = new ListAppender<>();

		final BehindReflector reported = new BehindReflector();

		final List<ClientRequest> requests = new CopyOnWriteArrayList<>();

		final List<String> snapshots = new CopyOnWriteArrayList<>();

		final Map<String, ReflectorOptions> options = new ConcurrentHashMap<>();

		Recorders() {
			this.clientLog.start();
			clientLogger().addAppender(this.clientLog);
		}

		private static Logger clientLogger() {
			return (Logger) LoggerFactory.getLogger(ApiServerClient.class.getPackageName());
		}

		@Override
		public void destroy() {
			clientLogger().detachAppender(this.clientLog);
		}

		@Bean
		Reflector<Object> reportedReflector() {
			return this.reported;
		}

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

	/** Mirrors a type that Jackson cannot read. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnBooleanProperty("unreadable.mirrored")
	static class UnreadableType {

		@Bean
		static ReflectedResourceRegistration<?> unreadable() {
			return ReflectedResourceRegistration.of(dev.reflector.autoconfigure.fixture.unreadable.Widget.class, "v1",
					"Unreadable");
		}

	}

	/** A reflector whose snapshot has been behind for ten minutes. */
	static final class BehindReflector extends FakeReflector<Object> {

		BehindReflector() {
			super("reported", status(ReflectorState.WATCHING, true, null, null));
		}

		@Override
		public ReflectorStatus.Durability durability() {
			return new ReflectorStatus.Durability("a file", true, 0, 0, 0, Map.of(), null, null,
					Instant.now().minusSeconds(600), null, null, null);
		}

	}

}
