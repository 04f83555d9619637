package dev.reflector.integration;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.leaderelection.LeaderCallbacks;
import dev.reflector.leaderelection.LeaderElectionConfig;
import dev.reflector.leaderelection.LeaderElector;
import dev.reflector.sharding.RendezvousAssignment;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.membership.ShardCallbacks;
import dev.reflector.sharding.membership.ShardMembership;
import dev.reflector.sharding.membership.ShardMembershipConfig;
import dev.reflector.snapshot.jdbc.fixture.TcpProxy;
import dev.reflector.test.EmbeddedApiServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Measures what replicas cost: requests and bytes of their Leases with the default times,
 * and how many slots a rolling update moves. Prints the figures of the guide, and asserts
 * only that those in the guide are not far off.
 */
@EnabledIfSystemProperty(named = "tests.soak", matches = ".+",
		disabledReason = "measures for two minutes, by hand: runs with -Dtests.soak=1s")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicaCostIntegrationTests {

	private static final Slots SLOTS = new Slots(64);

	private static final int SECONDS = 20;

	private static final ShardMembershipConfig QUICK = ShardMembershipConfig.builder()
		.leaseDuration(Duration.ofSeconds(60))
		.renewDeadline(Duration.ofSeconds(40))
		.retryPeriod(Duration.ofMillis(100))
		.unownedAfter(Duration.ofSeconds(90))
		.build();

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("coordination.k8s.io/v1", "Lease", "leases", true)
		.start();

	private final TcpProxy proxy = new TcpProxy(this.server.port());

	private final SystemTimeSource time = new SystemTimeSource();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final List<ShardMembership> members = new ArrayList<>();

	private final List<LeaderElector> electors = new ArrayList<>();

	private final List<ApiServerClient> clients = new ArrayList<>();

	private final AtomicInteger acquired = new AtomicInteger();

	@AfterEach
	void close() throws IOException {
		this.members.forEach(ShardMembership::abort);
		this.electors.forEach(LeaderElector::close);
		this.clients.forEach(ApiServerClient::disconnect);
		this.time.close();
		this.executor.shutdownNow();
		this.proxy.close();
		this.server.close();
	}

	@ParameterizedTest
	@ValueSource(ints = { 4, 10, 50 })
	void requestsAndBytesOfReplicasThatShareSlots(int replicas) throws Exception {
		IntStream.range(0, replicas).forEach((i) -> join("shop-" + i, ShardMembershipConfig.defaults()));
		awaitShared();
		double requests = measure(replicas + " replicas that share slots");
		assertThat(requests / replicas).isBetween(0.5, 1.3);
	}

	@Test
	void requestsAndBytesOfReplicasThatCompete() throws Exception {
		for (int i = 0; i < 10; i++) {
			LeaderElector elector = new LeaderElector(client().leaseLock("apps", "shop", "shop-" + i),
					LeaderElectionConfig.defaults(), new LeaderCallbacks() {
					}, this.time, this.executor);
			this.electors.add(elector);
			elector.start();
		}
		await().until(() -> this.electors.stream().anyMatch(LeaderElector::isLeader));
		assertThat(measure("a leader and 9 others")).isBetween(1.6, 5.0);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 4 })
	void slotsThatARollingUpdateMoves(int surge) {
		int replicas = 4;
		IntStream.range(0, replicas).forEach((i) -> join("old-" + i, QUICK));
		awaitShared();
		this.acquired.set(0);
		for (int i = 0; i < replicas; i += surge) {
			for (int j = 0; j < surge; j++) {
				join("new-" + (i + j), QUICK);
			}
			await().until(() -> this.members.stream().allMatch((member) -> member.owned() > 0));
			awaitShared();
			for (int j = 0; j < surge; j++) {
				this.members.remove(0).stop().toCompletableFuture().join();
			}
			awaitShared();
		}
		double moved = this.acquired.get() / (double) SLOTS.count();
		System.out.printf("A rolling update of %d replicas with maxSurge %d delivers each object %.1f times%n",
				replicas, surge, moved);
		assertThat(moved).isBetween(0.9, 2.1);
	}

	/** Measures for some seconds. */
	private double measure(String what) throws InterruptedException {
		// each reads the Leases as they are when all is settled
		TimeUnit.SECONDS.sleep(3);
		this.server.clearRequests();
		long bytes = this.proxy.passed();
		TimeUnit.SECONDS.sleep(SECONDS);
		double requests = this.server.requests().size() / (double) SECONDS;
		System.out.printf("%s: %.1f requests and %.1f KB in a second%n", what, requests,
				(this.proxy.passed() - bytes) / 1000.0 / SECONDS);
		return requests;
	}

	private void join(String identity, ShardMembershipConfig config) {
		ShardMembership member = new ShardMembership(client().shardMembers("apps", "shop", identity),
				new RendezvousAssignment(SLOTS), config, new ShardCallbacks() {

					@Override
					public void onAcquired(int slot, long epoch) {
						ReplicaCostIntegrationTests.this.acquired.incrementAndGet();
					}

				}, this.time, this.executor);
		this.members.add(member);
		member.start();
	}

	private void awaitShared() {
		await().atMost(Duration.ofSeconds(60))
			.until(() -> this.members.stream().mapToInt(ShardMembership::owned).sum() == SLOTS.count()
					&& this.members.stream()
						.allMatch((member) -> member.isMember() && IntStream.range(0, SLOTS.count())
							.allMatch((slot) -> member.isOwner(slot) == member.desired().contains(slot))));
	}

	private ApiServerClient client() {
		ApiServerClient client = ApiServerClient
			.builder(new ApiServer(URI.create("http://localhost:" + this.proxy.port()), null, TokenSource.none(),
					"test"))
			.build();
		this.clients.add(client);
		return client;
	}

}
