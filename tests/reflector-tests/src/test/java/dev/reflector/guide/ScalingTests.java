package dev.reflector.guide;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

import dev.reflector.cache.handler.Ownership;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.sharding.membership.ShardMembership;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/scaling.md}, with replicas that come and go.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ScalingTests {

	private static final int OBJECTS = 40;

	@Test
	void theTotalsOfTheReplicasAddUp() {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("apps/v1", "Deployment", "deployments", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.start()) {
			ResourceCollection deployments = server.resources("deployments");
			for (int i = 0; i < OBJECTS; i++) {
				deployments.create(Map.of("metadata", Map.of("name", "web-" + i), "spec", Map.of("replicas", 3)));
			}
			try (ConfigurableApplicationContext first = replica(server, "a")) {
				await().untilAsserted(() -> assertThat(total(first)).isEqualTo(3 * OBJECTS));
				try (ConfigurableApplicationContext second = replica(server, "b")) {
					await().untilAsserted(() -> {
						assertThat(total(first)).isPositive();
						assertThat(total(second)).isPositive();
						assertThat(total(first) + total(second)).isEqualTo(3 * OBJECTS);
					});
					deployments.mergePatch("default", "web-0", Map.of("spec", Map.of("replicas", 10)));
					deployments.delete("default", "web-1");
					await().untilAsserted(
							() -> assertThat(total(first) + total(second)).isEqualTo(3 * (OBJECTS - 2) + 10));
				}
				await().untilAsserted(() -> assertThat(total(first)).isEqualTo(3 * (OBJECTS - 2) + 10));
			}
		}
	}

	/** A call of the earlier epoch ends after the slot was acquired again. */
	@Test
	@LongFormOnly
	void anObjectIsNotKeptThatIsDeletedWhileALeaseLapses() throws Exception {
		try (EmbeddedApiServer server = EmbeddedApiServer.builder()
			.type("apps/v1", "Deployment", "deployments", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.start()) {
			ResourceCollection deployments = server.resources("deployments");
			for (int i = 0; i < 5; i++) {
				deployments.create(Map.of("metadata", Map.of("name", "web-" + i), "spec", Map.of("replicas", 3)));
			}
			// the Lease lapses when it is deleted, and not before on a slow machine; the
			// replica may write the next one 100 ms later
			try (ConfigurableApplicationContext replica = replica(server, "a",
					"--reflector.sharding.leases.lease-duration=600s",
					"--reflector.sharding.leases.renew-deadline=599900ms",
					"--reflector.sharding.leases.unowned-after=900s")) {
				await().untilAsserted(() -> assertThat(total(replica)).isEqualTo(15));
				SlowListener slow = replica.getBean(SlowListener.class);
				ShardMembership membership = replica.getBean(ShardMembership.class);
				slow.blocks = true;
				deployments.mergePatch("default", "web-0", Map.of("spec", Map.of("replicas", 10)));
				Ownership earlier = slow.entered.take();
				// a replica that cannot list would first wait for the listener, to hand
				// its slots over
				server.fail((request) -> request.method().equals("POST"), Integer.MAX_VALUE, Fault.status(503));
				server.resources("leases").delete("default", "shop.a");
				await().until(() -> membership.owned() == 0);
				deployments.delete("default", "web-0");
				server.clearFaults();
				await().until(() -> slow.acquired.getOrDefault(earlier.slot(), 0L) > earlier.epoch());
				slow.released.countDown();
				await().untilAsserted(() -> assertThat(total(replica)).isEqualTo(12));
			}
		}
	}

	private static int total(ConfigurableApplicationContext replica) {
		return replica.getBean(WantedReplicas.class).total();
	}

	private static ConfigurableApplicationContext replica(EmbeddedApiServer server, String identity, String... more) {
		List<String> arguments = new ArrayList<>(List.of("--reflector.api-server.url=" + server.url(),
				"--spring.http.clients.reactive.connector=jdk", "--reflector.sharding.enabled=true",
				"--reflector.sharding.assignment=dynamic", "--reflector.sharding.leases.namespace=default",
				"--reflector.sharding.leases.group=shop", "--reflector.sharding.leases.identity=" + identity,
				"--reflector.sharding.leases.retry-period=100ms"));
		arguments.addAll(List.of(more));
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties(UnrelatedAutoConfigurations.EXCLUDED)
			.run(arguments.toArray(String[]::new));
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	@Import({ WantedReplicas.class, SlowListener.class })
	static class Application {

	}

	/** Is called before the listener of the guide. */
	static class SlowListener {

		private final BlockingQueue<Ownership> entered = new LinkedBlockingQueue<>();

		private final CountDownLatch released = new CountDownLatch(1);

		private final Map<Integer, Long> acquired = new ConcurrentHashMap<>();

		private volatile boolean blocks;

		@EventListener
		@Order(Ordered.HIGHEST_PRECEDENCE)
		void on(ResourceUpdatedEvent<Deployment> event) throws InterruptedException {
			if (this.blocks) {
				this.entered.add(event.ownership());
				this.released.await();
			}
		}

		/** After the listener of the guide. */
		@EventListener
		@Order(Ordered.LOWEST_PRECEDENCE)
		void on(ShardAcquiredEvent event) {
			this.acquired.put(event.slot(), event.epoch());
		}

	}

}
