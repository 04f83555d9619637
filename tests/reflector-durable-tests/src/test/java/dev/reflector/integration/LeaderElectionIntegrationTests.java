package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.LeasePurpose;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.leaderelection.LeaderCallbacks;
import dev.reflector.leaderelection.LeaderElectionConfig;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.test.Backup;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Elections over sockets, with a server that refuses writes to an old version. No test
 * needs a fast machine: a term may be lost on a slow one, but there are never two.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class LeaderElectionIntegrationTests {

	/** Too long to expire in a test. */
	private static final LeaderElectionConfig LONG = LeaderElectionConfig.builder()
		.leaseDuration(Duration.ofSeconds(600))
		.renewDeadline(Duration.ofSeconds(400))
		.retryPeriod(Duration.ofMillis(100))
		.releaseOnCancel(true)
		.build();

	private static final LeaderElectionConfig SHORT = LeaderElectionConfig.builder()
		.leaseDuration(Duration.ofSeconds(2))
		.renewDeadline(Duration.ofSeconds(1))
		.retryPeriod(Duration.ofMillis(100))
		.build();

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("coordination.k8s.io/v1", "Lease", "leases", true)
		.start();

	private final ResourceCollection leases = this.server.resources("leases");

	private final SystemTimeSource time = new SystemTimeSource();

	private final List<LeaderElector> electors = new ArrayList<>();

	private final List<ApiServerClient> clients = new ArrayList<>();

	private final Map<String, LeasePurpose> purposes = new ConcurrentHashMap<>();

	/** Who has seen whom hold the lease. */
	private final List<String> seen = new CopyOnWriteArrayList<>();

	@AfterEach
	void close() {
		this.electors.forEach((elector) -> elector.stop().toCompletableFuture().join());
		this.clients.forEach(ApiServerClient::disconnect);
		this.time.close();
		this.server.close();
	}

	@Test
	void ofManyThatStartTogetherOneLeads() {
		List<LeaderElector> all = IntStream.range(0, 5).mapToObj((i) -> elector("replica-" + i, LONG)).toList();
		all.forEach(LeaderElector::start);
		await().until(() -> leaders() == 1 && all.stream().noneMatch((elector) -> elector.leader().isEmpty()));
		LeaderElector leader = leader();
		assertThat(leader.epoch()).hasValue(0);
		assertThat(all).allSatisfy((elector) -> assertThat(elector.leader()).isEqualTo(leader.identity()));
		assertThat(lease().at("/spec/holderIdentity").asString()).isEqualTo(leader.identity());
	}

	@Test
	void whenALeaderStopsAnotherTakesOverAtOnce() {
		elector("a", LONG).start();
		await().until(() -> leaders() == 1);
		LeaderElector next = elector("b", LONG);
		next.start();
		await().until(() -> next.leader().equals("a"));
		this.electors.get(0).stop();
		await().until(next::isLeader);
		assertThat(next.epoch()).hasValue(1);
		assertThat(this.electors.get(0).isLeader()).isFalse();
	}

	/** A process that is killed releases nothing. */
	@Test
	void whenALeaderIsKilledAnotherTakesOverAfterTheLeaseHasExpired() {
		LeaderElector leader = elector("a", SHORT);
		leader.start();
		await().until(leader::isLeader);
		LeaderElector next = elector("b", SHORT);
		leader.stop();
		JsonNode last = lease();
		// read before the standby sees the lease, even if this thread is slow
		long began = System.nanoTime();
		next.start();
		await().until(next::isLeader);
		assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThanOrEqualTo(SHORT.leaseDuration());
		assertThat(this.seen).containsSubsequence("b sees a", "b sees b");
		assertThat(lease().at("/spec/leaseTransitions").asLong())
			.isGreaterThan(last.at("/spec/leaseTransitions").asLong(0));
		assertThat(lease().at("/metadata/resourceVersion")).isNotEqualTo(last.at("/metadata/resourceVersion"));
	}

	/**
	 * The leader writes its last known lease, gets a conflict, and reads the lease again.
	 */
	@Test
	void aLeaderKeepsWhatOthersWriteIntoItsLease() {
		LeaderElector leader = elector("a", LONG);
		leader.start();
		await().until(leader::isLeader);
		for (int i = 0; i < 20; i++) {
			this.leases.mergePatch("apps", "shop", "{\"metadata\":{\"labels\":{\"n\":\"" + i + "\"}},\"spec\":"
					+ "{\"strategy\":\"OldestEmulationVersion\"}}");
			String renewed = lease().at("/spec/renewTime").asString();
			await().until(() -> !lease().at("/spec/renewTime").asString().equals(renewed));
			assertThat(lease().at("/metadata/labels/n").asString()).isEqualTo(Integer.toString(i));
		}
		assertThat(leader.epoch()).hasValue(0);
		assertThat(lease().at("/spec/strategy").asString()).isEqualTo("OldestEmulationVersion");
	}

	@Test
	void aLeaderThatFindsAnotherHolderStopsAtOnce() {
		LeaderElector leader = elector("a", LONG);
		leader.start();
		await().until(leader::isLeader);
		this.leases.mergePatch("apps", "shop", "{\"spec\":{\"holderIdentity\":\"b\",\"leaseTransitions\":1}}");
		await().until(() -> !leader.isLeader());
		assertThat(leader.leader()).isEqualTo("b");
	}

	/** The holder cannot see who waits for its Lease: who waits says it. */
	@Test
	void aLeaseThatIsHeldForSomethingElseIsReported(CapturedOutput output) {
		this.purposes.put("a", LeasePurpose.of(LeasePurpose.LEADER_ELECTION, "shop", List.of("Widget", "Gadget")));
		this.purposes.put("b", LeasePurpose.of(LeasePurpose.LEADER_ELECTION, "cart", List.of("Widget")));
		LeaderElector leader = elector("a", LONG);
		leader.start();
		await().until(leader::isLeader);
		assertThat(annotation("purpose")).isEqualTo("leader-election");
		assertThat(annotation("application")).isEqualTo("shop");
		assertThat(annotation("types")).isEqualTo("Gadget, Widget");
		elector("unknown", LONG).start();
		elector("b", LONG).start();
		await().until(() -> output.getOut()
			.contains("The lease apps/shop is held by 'a', which is of the application 'shop', this replica of "
					+ "'cart'; mirrors Gadget, Widget, this replica Widget. "));
		assertThat(output).contains("use separate leases ('reflector.leader-election.name')");
		this.purposes.put("b", LeasePurpose.of(LeasePurpose.SHARDS, "shop", List.of()));
		await()
			.until(() -> output.getOut().contains("which uses it for leader-election, this replica for shards. Only"));
		assertThat(output.getOut().split("is held by", -1)).as("once for each difference").hasSize(3);
		leader.stop().toCompletableFuture().join();
		await().until(() -> leaders() == 1);
		LeaderElector next = leader();
		assertThat(annotation("application")).isEqualTo(next.identity().equals("b") ? "shop" : "");
	}

	private String annotation(String name) {
		return lease().path("metadata").path("annotations").path("reflector.dev/" + name).asString("");
	}

	/** The server is restored to a time when no replica held the lease. */
	@Test
	void whenTheServerIsRestoredNobodyTakesTheLeaseOfARunningLeader() {
		LeaderElector first = elector("a", LONG);
		first.start();
		await().until(first::isLeader);
		first.stop().toCompletableFuture().join();
		Backup backup = this.server.backup();
		LeaderElector leader = elector("b", LONG);
		leader.start();
		await().until(leader::isLeader);
		LeaderElector standby = elector("c", LONG);
		standby.start();
		await().until(() -> standby.leader().equals("b"));
		this.server.restore(backup);
		await().until(() -> leader.epoch().orElse(0) == 2);
		await().until(() -> standby.leader().equals("b"));
		assertThat(this.seen).as("who has led").doesNotContain("b sees c", "c sees c");
	}

	@Test
	void aLeaderThatCannotReachTheServerStopsToLead() {
		LeaderElector leader = elector("a", SHORT);
		leader.start();
		await().until(leader::isLeader);
		this.server.stop();
		await().until(() -> !leader.isLeader());
		this.server.start();
		await().until(leader::isLeader);
	}

	@ParameterizedTest
	@MethodSource("connectors")
	void writesAndReadsALeaseByEveryHttpLibrary(ClientHttpConnectorBuilder<?> connector) {
		LeaderElector leader = elector("é", LONG, connector);
		leader.start();
		await().until(leader::isLeader);
		String renewed = lease().at("/spec/renewTime").asString();
		await().until(() -> !lease().at("/spec/renewTime").asString().equals(renewed));
		assertThat(renewed).matches("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z");
		assertThat(lease().at("/spec/holderIdentity").asString()).isEqualTo("é");
		leader.stop().toCompletableFuture().join();
		assertThat(lease().at("/spec/holderIdentity").asString("?")).isEmpty();
		assertThat(this.server.requests((request) -> request.method().equals("POST"))).hasSize(1);
	}

	static Stream<ClientHttpConnectorBuilder<?>> connectors() {
		return Stream.of(ClientHttpConnectorBuilder.reactor(), ClientHttpConnectorBuilder.jdk(),
				ClientHttpConnectorBuilder.jetty());
	}

	private LeaderElector elector(String identity, LeaderElectionConfig config) {
		return elector(identity, config, ClientHttpConnectorBuilder.reactor());
	}

	private LeaderElector elector(String identity, LeaderElectionConfig config,
			ClientHttpConnectorBuilder<?> connector) {
		ApiServerClient client = ApiServerClient
			.builder(new ApiServer(this.server.url(), null, TokenSource.none(), "test"))
			.connectorBuilder(connector)
			.build();
		this.clients.add(client);
		LeaderElector elector = new LeaderElector(
				client.leaseLock("apps", "shop", identity,
						() -> this.purposes.getOrDefault(identity, LeasePurpose.UNKNOWN)),
				config, new LeaderCallbacks() {

					@Override
					public void onNewLeader(String holder) {
						LeaderElectionIntegrationTests.this.seen.add(identity + " sees " + holder);
					}

				}, this.time, Runnable::run);
		this.electors.add(elector);
		return elector;
	}

	private JsonNode lease() {
		return this.leases.get("apps", "shop").orElseThrow();
	}

	private long leaders() {
		return this.electors.stream().filter(LeaderElector::isLeader).count();
	}

	private LeaderElector leader() {
		return this.electors.stream().filter(LeaderElector::isLeader).findFirst().orElseThrow();
	}

}
