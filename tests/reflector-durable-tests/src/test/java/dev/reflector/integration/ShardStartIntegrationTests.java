package dev.reflector.integration;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import dev.reflector.fixture.LongFormOnly;
import dev.reflector.sharding.membership.ShardMembership;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tests when an application joins the replicas that share slots, and what happens to the
 * slots if it does not start. Leases are too long to expire in a test.
 */
class ShardStartIntegrationTests extends WidgetServer {

	private ResourceCollection leases;

	private final List<MirrorApplication> replicas = new ArrayList<>();

	private MirrorApplication first;

	@Override
	EmbeddedApiServer newServer() {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.start();
	}

	@BeforeEach
	void startFirst() {
		this.leases = this.server.resources("leases");
		create("w");
		this.first = replica("a", (context) -> {
		});
		await().until(() -> membership(this.first).owned() == 16);
	}

	@AfterEach
	void closeReplicas() {
		this.replicas.forEach(MirrorApplication::close);
	}

	private MirrorApplication replica(String identity, Consumer<GenericApplicationContext> beans) {
		MirrorApplication replica = MirrorApplication.start(
				(context) -> beans.accept((GenericApplicationContext) context),
				"reflector.api-server.url=" + this.server.url(), "spring.http.clients.reactive.connector=jdk",
				"reflector.sharding.enabled=true", "reflector.sharding.slots=16",
				"reflector.sharding.assignment=dynamic", "reflector.sharding.leases.namespace=default",
				"reflector.sharding.leases.group=shop", "reflector.sharding.leases.identity=" + identity,
				"reflector.sharding.leases.lease-duration=600s", "reflector.sharding.leases.renew-deadline=400s",
				"reflector.sharding.leases.unowned-after=900s", "reflector.sharding.leases.retry-period=100ms",
				"reflector.startup.strict=true", "reflector.startup.wait-for-sync=true");
		this.replicas.add(replica);
		return replica;
	}

	private static ShardMembership membership(MirrorApplication replica) {
		return replica.context.getBean(ShardMembership.class);
	}

	/**
	 * The mirror is full before the replica acquires slots, so a strict start does not
	 * wait for slots.
	 */
	@Test
	@LongFormOnly
	void aReplicaJoinsAgainAfterItsContextWasStopped() {
		MirrorApplication second = replica("b", (context) -> {
		});
		await().until(() -> membership(second).owned() > 0);
		second.context.stop();
		assertThat(membership(second).isStopped()).isTrue();
		await().until(() -> membership(this.first).owned() == 16);
		second.context.start();
		await().until(() -> membership(second).owned() > 0);
	}

	@Test
	@LongFormOnly
	void anApplicationWhoseWebServerDoesNotStartTakesNoSlots() {
		assertThatThrownBy(() -> replica("b",
				(context) -> context.registerBean("webServer", PhaseOfWebServer.class, PhaseOfWebServer::new)))
			.hasRootCauseInstanceOf(PortInUseException.class);
		assertThat(this.leases.get("default", "shop.b")).isEmpty();
		assertThat(membership(this.first).owned()).isEqualTo(16);
	}

	@Test
	@LongFormOnly
	void anApplicationThatFailsAfterItHasJoinedLeavesAtOnce() {
		assertThatThrownBy(() -> replica("b",
				(context) -> context.registerBean(FailsWhenItOwnsASlot.class, () -> new FailsWhenItOwnsASlot(context))))
			.hasMessageContaining("cannot go on");
		assertLeft();
	}

	@Test
	@LongFormOnly
	void anApplicationWhoseRunnerFailsLeavesAtOnce() {
		assertThatThrownBy(
				() -> replica("b", (context) -> context.registerBean(ApplicationRunner.class, () -> (arguments) -> {
					await().until(() -> context.getBean(ShardMembership.class).owned() > 0);
					throw new IllegalStateException("cannot go on");
				})))
			.hasStackTraceContaining("cannot go on");
		assertLeft();
	}

	private void assertLeft() {
		JsonNode annotations = this.leases.get("default", "shop.b").orElseThrow().at("/metadata/annotations");
		assertThat(annotations.path("reflector.dev/shard-leaving").asString()).isEqualTo("true");
		assertThat(annotations.path("reflector.dev/shard-held").asString()).isEmpty();
		await().until(() -> membership(this.first).owned() == 16);
	}

	@Test
	@LongFormOnly
	void aWorkerWhoseRunnerDoesNotReturnJoins() throws Exception {
		CountDownLatch goOn = new CountDownLatch(1);
		Thread worker = new Thread(() -> replica("b",
				(context) -> context.registerBean(ApplicationRunner.class, () -> (arguments) -> goOn.await())));
		worker.start();
		try {
			await().until(() -> membership(this.first).owned() < 16);
			assertThat(worker.isAlive()).isTrue();
		}
		finally {
			goOn.countDown();
			worker.join();
		}
	}

	private static final class PhaseOfWebServer implements SmartLifecycle {

		@Override
		public void start() {
			throw new PortInUseException(8080);
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

		@Override
		public int getPhase() {
			return DEFAULT_PHASE - 2048;
		}

	}

	/** Fails when the context has started, which then is only destroyed. */
	private record FailsWhenItOwnsASlot(
			GenericApplicationContext context) implements ApplicationListener<ContextRefreshedEvent> {

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
			await().until(() -> this.context.getBean(ShardMembership.class).owned() > 0);
			throw new IllegalStateException("cannot go on");
		}

	}

}
