package dev.reflector.integration;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;

import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.StartedLeadingEvent;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.write.ResourceWriter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.integration.leader.event.OnGrantedEvent;
import org.springframework.web.reactive.function.client.WebClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Tests replicas of an application of which only the leader delivers changes to its
 * listeners.
 */
@ExtendWith(OutputCaptureExtension.class)
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
		return replica((context) -> {
		}, more);
	}

	private MirrorApplication replica(Consumer<GenericApplicationContext> beans, String... more) {
		Map<String, String> properties = new LinkedHashMap<>();
		Stream.concat(Stream.of("reflector.api-server.url=" + this.server.url(),
				// event loops of Reactor Netty are shared by all contexts of a
				// process
				"spring.http.clients.reactive.connector=jdk", "reflector.leader-election.enabled=true",
				"reflector.leader-election.events=leader", "reflector.leader-election.name=widgets",
				"reflector.leader-election.namespace=apps", "reflector.leader-election.release-on-cancel=true",
				// too long to expire in a test
				"reflector.leader-election.lease-duration=600s", "reflector.leader-election.renew-deadline=400s",
				"reflector.leader-election.retry-period=100ms"), Stream.of(more))
			.forEach((property) -> properties.put(property.substring(0, property.indexOf('=')), property));
		MirrorApplication replica = MirrorApplication.start((context) -> {
			((GenericApplicationContext) context).registerBean(MeterRegistry.class, SimpleMeterRegistry::new);
			beans.accept((GenericApplicationContext) context);
		}, properties.values().toArray(String[]::new));
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
		Owners owners = new Owners();
		MirrorApplication second = replica((context) -> context.registerBean(Owners.class, () -> owners));
		await().until(() -> second.mirror().size() == 2 && elector(second).leader().equals(elector(first).identity()));
		create("c");
		await().until(() -> heard(first).contains("+c"));
		await().until(() -> second.mirror().size() == 3);
		assertThat(heard(second)).isEmpty();
		int requests = lists().size() + watches().size();
		first.close();
		await().until(() -> heard(second).equals(List.of("+a initial", "+b initial", "+c initial")));
		assertThat(lists().size() + watches().size()).isEqualTo(requests);
		assertThat(owners.seen).hasSize(3)
			.containsOnly(
					new Ownership(elector(second).identity(), Ownership.WHOLE, elector(second).epoch().orElseThrow()));
	}

	@Test
	void anotherApplicationThatHoldsTheLeaseIsReported(CapturedOutput output) {
		MirrorApplication first = replica("spring.application.name=api");
		await().until(elector(first)::isLeader);
		replica("spring.application.name=worker");
		await().until(() -> output.getOut().contains("which is of the application 'api', this replica of 'worker'. "));
		assertThat(output).contains("use separate leases ('reflector.leader-election.name')");
		assertThat(this.server.resources("leases").get("apps", "widgets").orElseThrow().at("/metadata/annotations"))
			.hasToString("{\"reflector.dev/purpose\":\"leader-election\",\"reflector.dev/application\":\"api\","
					+ "\"reflector.dev/types\":\"example.com/v1 Widget\"}");
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

	/** The context also has a console, a web server, an election and a writer. */
	@Test
	@LongFormOnly
	void aLeaderWhoseContextIsStoppedAndStartedLeadsAgainAndTellsOnlyWhatHasChanged() {
		MirrorApplication replica = replica(DurableScenario.properties(this.directory.resolve("mirror.db"),
				UnrelatedAutoConfigurations.INCLUDED, "spring.main.web-application-type=reactive", "server.port=0",
				"server.address=127.0.0.1", "reflector.console.enabled=true", "reflector.writes.mode=on"));
		await().until(() -> heard(replica).equals(List.of("+a initial", "+b initial")));
		DurableScenario.awaitStored(replica);
		long epoch = elector(replica).epoch().orElseThrow();
		replica.context.stop();
		assertThat(elector(replica).isLeader()).isFalse();
		await().until(() -> this.server.activeWatches() == 0);
		replica.heard.events.clear();
		this.server.clearRequests();
		this.widgets.delete("default", "a");
		create("c");
		replica.context.start();
		await().until(() -> heard(replica).equals(List.of("+c", "-a")));
		assertThat(lists()).isEmpty();
		assertThat(watches()).noneMatch((watch) -> "true".equals(watch.parameter("sendInitialEvents")));
		assertThat(elector(replica).epoch().orElseThrow()).isGreaterThan(epoch);
		replica.context.getBean(ResourceWriter.class)
			.delete(Objects.requireNonNull(replica.widgets.get("default", "b")));
		await().until(() -> heard(replica).equals(List.of("+c", "-a", "-b")));
		assertThat(replica.heard.mistakes).isEmpty();
		String page = "http://127.0.0.1:" + replica.context.getEnvironment().getProperty("local.server.port")
				+ "/reflectors/";
		assertThat(WebClient.create(page).get().retrieve().bodyToMono(String.class).block()).contains("<html");
	}

	@Test
	void aLeaderThatStopsHasItsLeaseRenewedUntilACallHasReturned(CapturedOutput output) throws Exception {
		Busy busy = new Busy();
		MirrorApplication first = replica((context) -> context.registerBean(Busy.class, () -> busy),
				// a request may take half of it, also the one that releases the lease
				"reflector.leader-election.renew-deadline=1500ms");
		busy.entered.await();
		MirrorApplication second = replica();
		await().until(() -> second.mirror().size() == 2 && elector(second).leader().equals(elector(first).identity()));
		Thread closing = new Thread(first::close);
		closing.start();
		String name = Busy.class.getName() + ".on(";
		try {
			await().untilAsserted(() -> assertThat(output).contains("or the application ends. Busy: [" + name));
			await().until(() -> !elector(first).isLeader());
			int renewals = renewals();
			// more than fit into the renew deadline
			await().until(() -> renewals() >= renewals + 20);
			assertThat(elector(second).isLeader()).as("the call of the first is in progress").isFalse();
			assertThat(heard(second)).isEmpty();
		}
		finally {
			busy.released.countDown();
		}
		await().until(elector(second)::isLeader);
		closing.join();
	}

	private int renewals() {
		return this.server.requests((request) -> request.method().equals("PUT")).size();
	}

	/** Spring stops a context whose start has failed after its beans have started. */
	@Test
	@LongFormOnly
	void aStartThatFailsAfterThisReplicaHasBegunToLeadDoesNotWaitLongForACall(CapturedOutput output) {
		Busy busy = new Busy();
		try {
			assertThatThrownBy(() -> replica((context) -> {
				context.registerBean(Busy.class, () -> busy);
				context.registerBean("failing", RefreshedListener.class, () -> (event) -> {
					awaitQuietly(busy.entered);
					throw new IllegalStateException("cannot go on");
				});
			})).hasMessageContaining("cannot go on");
			assertThat(output)
				.contains("The start of the application has failed, and the lead could not be "
						+ "handed over within 5000 ms")
				.doesNotContain("This replica is stopping");
			int renewals = renewals();
			MirrorApplication next = replica("reflector.leader-election.lease-duration=600s");
			await().until(() -> !elector(next).leader().isEmpty());
			assertThat(renewals()).as("the lease is left to expire").isEqualTo(renewals);
		}
		finally {
			busy.released.countDown();
		}
	}

	@Test
	void aListenerThatFailsWithAnErrorKeepsNeitherOthersNorObjectsFromBeingDelivered(CapturedOutput output) {
		List<String> called = new CopyOnWriteArrayList<>();
		MirrorApplication replica = replica((context) -> {
			context.registerBean("failing", StartedListener.class, () -> (event) -> {
				throw new StackOverflowError("of a listener");
			});
			context.registerBean("next", StartedListener.class, () -> (event) -> called.add("next"));
		});
		await().until(() -> heard(replica).equals(List.of("+a initial", "+b initial")));
		assertThat(called).containsExactly("next");
		assertThat(output).contains("The listener failing has failed with StartedLeadingEvent");
		assertThat(health(replica).getStatus().getCode()).isEqualTo("UP");
	}

	@Test
	void aListenerThatHangsKeepsTheLeadAndIsNamed(CapturedOutput output) {
		CountDownLatch released = new CountDownLatch(1);
		MirrorApplication replica = replica((context) -> context.registerBean("hanging", StartedListener.class,
				() -> (event) -> awaitQuietly(released)), "reflector.events.slow-listener-threshold=100ms");
		try {
			// on a slow machine, another listener may be busy for as long before
			await().untilAsserted(() -> assertThat(health(replica).getDetails()).containsEntry("leads", true)
				.hasEntrySatisfying("busyListener", (busy) -> assertThat(busy.toString()).startsWith("hanging with ")));
			assertThat(health(replica).getStatus().getCode()).isEqualTo("DOWN");
			await().untilAsserted(() -> assertThat(output).contains("The listener hanging is still busy with"));
			assertThat(heard(replica)).isEmpty();
		}
		finally {
			released.countDown();
		}
		await().until(() -> heard(replica).size() == 2);
		assertThat(elector(replica).epoch()).hasValue(0);
		assertThat(health(replica).getStatus().getCode()).isEqualTo("UP");
	}

	/** Spring calls it, and its event is one of Spring Integration. */
	@Test
	void aListenerOfSpringIntegrationThatHangsIsNamed(CapturedOutput output) {
		Granted listener = new Granted();
		MirrorApplication replica = replica((context) -> context.registerBean(Granted.class, () -> listener),
				"reflector.events.slow-listener-threshold=100ms");
		try {
			String name = Granted.class.getName() + ".on";
			// on a slow machine, another listener may be busy for as long before
			await().untilAsserted(() -> assertThat(health(replica).getDetails()).containsEntry("leads", true)
				.containsEntry("busyListener", name + " with OnGrantedEvent"));
			assertThat(health(replica).getStatus().getCode()).isEqualTo("DOWN");
			await().untilAsserted(
					() -> assertThat(output).contains("The listener " + name + " is still busy with OnGrantedEvent"));
		}
		finally {
			listener.released.countDown();
		}
		await().until(() -> heard(replica).size() == 2);
		assertThat(health(replica).getStatus().getCode()).isEqualTo("UP");
	}

	@Test
	@LongFormOnly
	void whereNobodyMayWriteTheLeaseNobodyIsNamedAndTheRoleIsLogged(CapturedOutput output) {
		String[] shortTimes = { "reflector.leader-election.lease-duration=1s",
				"reflector.leader-election.renew-deadline=500ms" };
		MirrorApplication first = replica(shortTimes);
		await().until(elector(first)::isLeader);
		MirrorApplication second = replica(shortTimes);
		await().until(() -> !elector(second).leader().isEmpty());
		this.server.fail((request) -> request.method().equals("PUT"), Integer.MAX_VALUE, Fault.status(403));
		for (MirrorApplication replica : this.replicas) {
			await().untilAsserted(() -> assertThat(health(replica).getStatus().getCode()).isEqualTo("DOWN"));
			assertThat(health(replica).getDetails()).containsEntry("leads", false).doesNotContainKey("leader");
		}
		int refused = renewals();
		await().until(() -> renewals() >= refused + 10);
		assertThat(output).contains("The server forbids requests for the Leases apps/widgets",
				"resourceNames: [\"widgets\"]");
		assertThat(output.getAll().lines().filter((line) -> line.contains("could not be")).count())
			.as("one for each replica")
			.isLessThanOrEqualTo(2);
		this.server.clearFaults();
		await().until(() -> elector(first).isLeader() || elector(second).isLeader());
	}

	@Test
	void theLeaseIsInTheNamespaceOfTheKubeconfig() throws Exception {
		Path file = Files.writeString(this.directory.resolve("config"),
				this.server.kubeconfig().replace("namespace: default", "namespace: team"));
		assertThat(file).content().contains("namespace: team");
		MirrorApplication replica = replica("reflector.api-server.url=", "reflector.leader-election.namespace=",
				"reflector.api-server.kubeconfig=" + file);
		await().until(elector(replica)::isLeader);
		assertThat(elector(replica).lease()).isEqualTo("team/widgets");
		assertThat(replica.context.getBean(RbacManifest.class).yaml()).contains("namespace: \"team\"");
	}

	private static void awaitQuietly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** A bean whose type says what it listens to. */
	interface StartedListener extends ApplicationListener<StartedLeadingEvent> {

	}

	/** A bean whose type says what it listens to. */
	interface RefreshedListener extends ApplicationListener<ContextRefreshedEvent> {

	}

	/** Is busy with the beginning of a term, and then fails. */
	static class Granted {

		private final CountDownLatch released = new CountDownLatch(1);

		@EventListener
		void on(OnGrantedEvent event) {
			awaitQuietly(this.released);
			throw new StackOverflowError("of a listener");
		}

	}

	/** Notes by whom, and in which term, objects are delivered. */
	static class Owners {

		private final List<Ownership> seen = new CopyOnWriteArrayList<>();

		@EventListener
		void on(ResourceEvent<Widget> event) {
			this.seen.add(event.ownership());
		}

	}

	/** Is busy with the first object. */
	static class Busy {

		private final CountDownLatch entered = new CountDownLatch(1);

		private final CountDownLatch released = new CountDownLatch(1);

		@EventListener
		void on(ResourceAddedEvent<Widget> event) {
			this.entered.countDown();
			awaitQuietly(this.released);
		}

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
