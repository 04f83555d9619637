package dev.reflector.integration;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.autoconfigure.RbacManifest;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.test.EmbeddedApiServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Replicas of an application of which only the leader tells its listeners of changes.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LeaderDeliveryIntegrationTests extends WidgetScenario {

	private final List<MirrorApplication> replicas = new ArrayList<>();

	@TempDir
	Path directory;

	@Override
	EmbeddedApiServer newServer() {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.start();
	}

	@AfterEach
	void closeReplicas() {
		this.replicas.forEach(MirrorApplication::close);
	}

	private MirrorApplication replica(String... more) {
		List<String> properties = new ArrayList<>(List.of("reflector.api-server.url=" + this.server.url(),
				// event loops of Reactor Netty are shared by all contexts of a process
				"spring.http.clients.reactive.connector=jdk", "reflector.leader-election.enabled=true",
				"reflector.leader-election.events=leader", "reflector.leader-election.name=widgets",
				"reflector.leader-election.namespace=apps", "reflector.leader-election.release-on-cancel=true",
				// too long to expire in a test
				"reflector.leader-election.lease-duration=600s", "reflector.leader-election.renew-deadline=400s",
				"reflector.leader-election.retry-period=100ms"));
		properties.addAll(List.of(more));
		MirrorApplication replica = MirrorApplication.start((context) -> ((GenericApplicationContext) context)
			.registerBean(MeterRegistry.class, SimpleMeterRegistry::new), properties.toArray(String[]::new));
		this.replicas.add(replica);
		return replica;
	}

	private static LeaderElector elector(MirrorApplication replica) {
		return replica.context.getBean(LeaderElector.class);
	}

	private static List<String> heard(MirrorApplication replica) {
		return replica.heard.events.stream()
			.filter((event) -> event.matches("[-+~].*"))
			.map((event) -> event.replaceAll("@\\d+", ""))
			.sorted()
			.toList();
	}

	@Test
	void aStandbyTakesOverWithAWarmMirrorAndTellsEverything() {
		MirrorApplication first = replica();
		await().until(() -> heard(first).equals(List.of("+a initial", "+b initial")));
		MirrorApplication second = replica();
		await().until(() -> second.mirror().size() == 2 && elector(second).leader().equals(elector(first).identity()));
		create("c");
		await().until(() -> heard(first).contains("+c"));
		await().until(() -> second.mirror().size() == 3);
		assertThat(heard(second)).isEmpty();
		int requests = lists().size() + watches().size();
		first.close();
		await().until(() -> heard(second).equals(List.of("+a initial", "+b initial", "+c initial")));
		assertThat(lists().size() + watches().size()).isEqualTo(requests);
	}

	@Test
	void withASharedSnapshotTheNextLeaderTellsOnlyWhatTheFirstHasNot() {
		String[] durable = DurableScenario.properties(this.directory.resolve("mirror.db"));
		MirrorApplication first = replica(durable);
		await().until(() -> heard(first).equals(List.of("+a initial", "+b initial")));
		MirrorApplication second = replica(durable);
		await().until(() -> second.mirror().size() == 2 && elector(second).leader().equals(elector(first).identity()));
		first.close();
		this.widgets.delete("default", "a");
		create("c");
		await().until(() -> heard(second).equals(List.of("+c", "-a")));
		assertThat(second.reflector.durability().writing()).isTrue();
	}

	@Test
	void showsWhoLeadsAndWhoStandsBy() {
		MirrorApplication first = replica();
		await().until(() -> heard(first).size() == 2);
		MirrorApplication second = replica();
		await().until(() -> second.mirror().size() == 2 && elector(second).leader().equals(elector(first).identity()));
		assertThat(standby(first)).isFalse();
		assertThat(standby(second)).isTrue();
		assertThat(gauge(first, "reflector.standby")).isZero();
		assertThat(gauge(second, "reflector.standby")).isEqualTo(1);
		assertThat(gauge(first, "reflector.leader.election.leads")).isEqualTo(1);
		assertThat(gauge(second, "reflector.leader.election.leads")).isZero();
		assertThat(gauge(first, "reflector.leader.election.epoch")).isZero();
		assertThat(gauge(second, "reflector.leader.election.epoch")).isNaN();
		Health health = health(second);
		assertThat(health.getStatus().getCode()).isEqualTo("UP");
		assertThat(health.getDetails()).containsEntry("leads", false)
			.containsEntry("leader", elector(first).identity())
			.containsEntry("lease", "apps/widgets");
		assertThat(health(first).getDetails()).containsEntry("leads", true).containsEntry("epoch", 0L);
		assertThat(first.context.getBean(RbacManifest.class).yaml()).endsWith("""
				---
				# bind it with: kubectl create rolebinding application-reflectors-leader-election --namespace=apps \
				--role=application-reflectors-leader-election --serviceaccount=NAMESPACE:NAME
				apiVersion: rbac.authorization.k8s.io/v1
				kind: Role
				metadata:
				  name: "application-reflectors-leader-election"
				  namespace: "apps"
				rules:
				- apiGroups: ["coordination.k8s.io"]
				  resources: ["leases"]
				  verbs: ["create"]
				- apiGroups: ["coordination.k8s.io"]
				  resources: ["leases"]
				  resourceNames: ["widgets"]
				  verbs: ["get", "update"]
				""");
	}

	private static boolean standby(MirrorApplication replica) {
		return new ReflectorsEndpoint(() -> Stream.of(replica.reflector)).reflector("widgets").standby();
	}

	private static double gauge(MirrorApplication replica, String name) {
		return replica.context.getBean(MeterRegistry.class).get(name).gauge().value();
	}

	private static Health health(MirrorApplication replica) {
		return replica.context.getBean("leaderElectionHealthIndicator", HealthIndicator.class).health();
	}

}
