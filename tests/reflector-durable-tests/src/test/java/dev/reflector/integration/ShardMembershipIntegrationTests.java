package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.LeasePurpose;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.client.ApiServerClient;
import dev.reflector.client.credentials.ApiServer;
import dev.reflector.client.credentials.TokenSource;
import dev.reflector.sharding.RendezvousAssignment;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.membership.MemberLease;
import dev.reflector.sharding.membership.MemberRecord;
import dev.reflector.sharding.membership.MemberSettings;
import dev.reflector.sharding.membership.MemberStore;
import dev.reflector.sharding.membership.ShardCallbacks;
import dev.reflector.sharding.membership.ShardMembership;
import dev.reflector.sharding.membership.ShardMembershipConfig;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import dev.reflector.test.ResourceCollection;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.http.client.reactive.ClientHttpConnectorBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/**
 * Replicas that share slots over sockets, with a server that refuses writes to an old
 * version. No test needs a fast machine: slots may be lost on a slow one, but none has
 * two owners.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class ShardMembershipIntegrationTests {

	private static final Slots SLOTS = new Slots(32);

	/** Too long to expire in a test. */
	private static final ShardMembershipConfig LONG = ShardMembershipConfig.builder()
		.leaseDuration(Duration.ofSeconds(600))
		.renewDeadline(Duration.ofSeconds(400))
		.retryPeriod(Duration.ofMillis(100))
		.unownedAfter(Duration.ofSeconds(900))
		.build();

	private static final ShardMembershipConfig SHORT = ShardMembershipConfig.builder()
		.leaseDuration(Duration.ofSeconds(2))
		.renewDeadline(Duration.ofSeconds(1))
		.retryPeriod(Duration.ofMillis(100))
		.unownedAfter(Duration.ofSeconds(10))
		.build();

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("coordination.k8s.io/v1", "Lease", "leases", true)
		.start();

	private final ResourceCollection leases = this.server.resources("leases");

	private final SystemTimeSource time = new SystemTimeSource();

	private final ExecutorService executor = Executors.newCachedThreadPool();

	private final List<ShardMembership> members = new ArrayList<>();

	private final List<ShardMembership> all = new CopyOnWriteArrayList<>();

	private final List<ApiServerClient> clients = new ArrayList<>();

	/** By slot, the last epoch in a callback. */
	private final Map<Integer, Long> epochs = new ConcurrentHashMap<>();

	private final Set<String> wrong = ConcurrentHashMap.newKeySet();

	@AfterEach
	void close() {
		this.all.forEach(ShardMembership::abort);
		this.clients.forEach(ApiServerClient::disconnect);
		this.time.close();
		this.executor.shutdownNow();
		this.server.close();
	}

	@Test
	void replicasThatStartTogetherShareAllSlots() {
		IntStream.range(0, 5).forEach((i) -> member("shop-" + i, LONG).start());
		// those that come late get their part from those that were there
		await().untilAsserted(
				() -> assertThat(this.members).allSatisfy((member) -> assertThat(owned(member)).isNotEmpty()));
		awaitShared();
		assertThat(this.wrong).isEmpty();
	}

	@Test
	void whatOneLeavesTheOthersTakeAtOnceAndTheLastDeletesTheLeases() {
		IntStream.range(0, 3).forEach((i) -> member("shop-" + i, LONG).start());
		awaitShared();
		ShardMembership first = this.members.remove(0);
		first.stop().toCompletableFuture().join();
		assertThat(owned(first)).isEmpty();
		assertThat(annotation("shop-0", "leaving")).isEqualTo("true");
		awaitShared();
		assertThat(this.wrong).isEmpty();
		this.members.forEach((member) -> member.stop().toCompletableFuture().join());
		await().until(() -> Stream.of("shop-0", "shop-1", "shop-2").noneMatch(this::exists));
	}

	/** A process that is killed releases nothing. */
	@Test
	void whatOneThatWasKilledHadTheOthersTakeAfterItsLeaseHasExpired() {
		IntStream.range(0, 3).forEach((i) -> member("shop-" + i, SHORT).start());
		awaitShared();
		ShardMembership killed = this.members.remove(1);
		// on a slow machine, its lease may just have lapsed
		await().until(() -> !owned(killed).isEmpty());
		killed.abort();
		awaitShared();
		assertThat(this.wrong).isEmpty();
	}

	@Test
	void aReplicaThatCannotReachTheServerOwnsNothing() {
		ShardMembership member = member("shop-0", SHORT);
		member.start();
		awaitShared();
		this.server.stop();
		await().until(() -> owned(member).isEmpty() && !member.isMember());
		this.server.start();
		awaitShared();
		assertThat(this.wrong).isEmpty();
	}

	@ParameterizedTest
	@MethodSource("connectors")
	void writesReadsAndDeletesLeasesByEveryHttpLibrary(ClientHttpConnectorBuilder<?> connector) {
		ShardMembership member = member("shop-0", LONG, connector);
		member.start();
		awaitShared();
		this.leases.mergePatch("apps", "shop.shop-0", "{\"metadata\":{\"labels\":{\"team\":\"cart\"}}}");
		String renewed = lease("shop-0").at("/spec/renewTime").asString();
		await().until(() -> !lease("shop-0").at("/spec/renewTime").asString().equals(renewed));
		assertThat(renewed).matches("\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}Z");
		await().until(() -> annotation("shop-0", "held").contains("0=" + member.epoch(0) + ","));
		assertThat(owned(member)).as("a label that was added").hasSize(SLOTS.count());
		JsonNode lease = lease("shop-0");
		assertThat(lease.at("/spec/holderIdentity").asString()).isEqualTo("shop-0");
		assertThat(lease.at("/spec/leaseDurationSeconds").asInt()).isEqualTo(600);
		assertThat(lease.at("/metadata/labels/team").asString()).isEqualTo("cart");
		assertThat(lease.at("/metadata/labels/reflector.dev~1shard-group").asString()).isEqualTo("shop");
		assertThat(annotation("shop-0", "slots")).isEqualTo("32");
		member.stop().toCompletableFuture().join();
		assertThat(exists("shop-0")).isFalse();
	}

	static Stream<ClientHttpConnectorBuilder<?>> connectors() {
		return Stream.of(ClientHttpConnectorBuilder.reactor(), ClientHttpConnectorBuilder.jdk(),
				ClientHttpConnectorBuilder.jetty());
	}

	@Test
	void theStoreReadsWhatItHasWritten() {
		MemberStore store = store("shop-0", ClientHttpConnectorBuilder.reactor());
		MemberRecord record = new MemberRecord("run", 7, true, 15, null, SLOTS, Map.of(3, 0L, 31, 1234L),
				Map.of(31, Duration.ofMillis(700)), 5, 1L << 48,
				new MemberSettings(1, "object.metadata.uid", new LeasePurpose(LeasePurpose.SHARDS, "shop", "Widget")));
		assertThat(store.describe()).isEqualTo("apps/shop");
		assertThat(store.list().block()).isEmpty();
		MemberLease created = store.create(record).block();
		assertThat(created.record()).isEqualTo(record);
		MemberLease listed = store.list().block().get(0);
		assertThat(listed.record()).isEqualTo(record);
		assertThat(listed.identity()).isEqualTo("shop-0");
		assertThat(listed.resourceVersion()).isEqualTo(created.resourceVersion());
		MemberLease next = listed
			.update(new MemberRecord("run", 8, false, 15, null, SLOTS, Map.of(), Map.of(), 0, 0,
					MemberSettings.UNKNOWN))
			.block();
		assertThat(next.record().held()).isEmpty();
		assertThatThrownBy(() -> created.update(record).block()).hasMessageContaining("409");
		assertThatThrownBy(() -> created.delete().block()).hasMessageContaining("409");
		assertThatThrownBy(() -> store.create(record).block()).hasMessageContaining("409");
		assertThat(this.server.requests(RecordedRequest::isList)).isNotEmpty()
			.allSatisfy((request) -> assertThat(request.parameters())
				.isEqualTo(Map.of("labelSelector", "reflector.dev/shard-group=shop")));
		next.delete().block();
		assertThat(store.list().block()).isEmpty();
	}

	@Test
	void aLeaseWithoutItsLabelIsNamed() {
		MemberStore store = store("shop-0", ClientHttpConnectorBuilder.reactor());
		MemberRecord record = new MemberRecord("run", 1, false, 15, null, SLOTS, Map.of(), Map.of(), 0, 0,
				MemberSettings.UNKNOWN);
		store.create(record).block();
		this.leases.mergePatch("apps", "shop.shop-0", "{\"metadata\":{\"labels\":null}}");
		assertThat(store.list().block()).isEmpty();
		assertThatThrownBy(() -> store.create(record).block())
			.hasMessageContaining("the Lease apps/shop.shop-0 lacks the label reflector.dev/shard-group=shop");
	}

	@Test
	void aLeaseThatIsUsedForSomethingElseIsReported(CapturedOutput output) {
		MemberSettings settings = MemberSettings.of(ShardField.UID, "shop", List.of());
		MemberStore store = store("shop-1", ClientHttpConnectorBuilder.reactor());
		store.create(new MemberRecord("run", 1, false, 600, null, SLOTS, Map.of(), Map.of(), 0, 0, settings)).block();
		this.leases.mergePatch("apps", "shop.shop-1",
				"{\"metadata\":{\"annotations\":{\"reflector.dev/purpose\":\"backups\"}}}");
		ShardMembership member = new ShardMembership(store("shop-0", ClientHttpConnectorBuilder.reactor()),
				new RendezvousAssignment(SLOTS), LONG, () -> settings, new ShardCallbacks() {
				}, this.time, this.executor);
		this.all.add(member);
		member.start();
		await().until(() -> output.getOut().contains("shop-1 uses it for backups, this replica for shards. "));
		assertThat(output).contains("('reflector.sharding.leases.group')");
	}

	@Test
	void anotherGroupIsNotSeen() {
		MemberStore store = store("shop-0", ClientHttpConnectorBuilder.reactor());
		store
			.create(new MemberRecord("run", 1, false, 15, null, SLOTS, Map.of(), Map.of(), 0, 0,
					MemberSettings.UNKNOWN))
			.block();
		assertThat(client(ClientHttpConnectorBuilder.reactor()).shardMembers("apps", "cart", "shop-0").list().block())
			.isEmpty();
	}

	/** The replica of such a Lease might hold any slot. */
	@ParameterizedTest
	@ValueSource(strings = { "slots\":\"none", "held\":\"1,2", "held\":\"32=7", "sequence\":\"", "era\":\"-1" })
	void aLeaseThatCannotBeUnderstoodIsAnError(String annotation) {
		MemberStore store = store("shop-0", ClientHttpConnectorBuilder.reactor());
		store
			.create(new MemberRecord("run", 1, false, 15, null, SLOTS, Map.of(), Map.of(), 0, 0,
					MemberSettings.UNKNOWN))
			.block();
		this.leases.mergePatch("apps", "shop.shop-0",
				"{\"metadata\":{\"annotations\":{\"reflector.dev/shard-" + annotation + "\"}}}");
		assertThatThrownBy(() -> store.list().block()).hasMessageContaining("apps/shop.shop-0");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Shop", "shop.a", "", "-shop", "a/b" })
	void refusesAGroupThatCannotBeOne(String group) {
		ApiServerClient client = client(ClientHttpConnectorBuilder.reactor());
		assertThatIllegalArgumentException().isThrownBy(() -> client.shardMembers("apps", group, "shop-0"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "Shop-0", "shop_0", "", "é", "a/b" })
	void refusesAnIdentityThatCannotBeOne(String identity) {
		ApiServerClient client = client(ClientHttpConnectorBuilder.reactor());
		assertThatIllegalArgumentException().isThrownBy(() -> client.shardMembers("apps", "shop", identity));
	}

	private void awaitShared() {
		await().until(() -> {
			Set<Integer> all = new HashSet<>();
			int sum = 0;
			for (ShardMembership member : this.members) {
				Set<Integer> owned = owned(member);
				all.addAll(owned);
				sum += owned.size();
				if (!owned.equals(member.desired().toSet())) {
					return false;
				}
			}
			return sum == SLOTS.count() && all.size() == SLOTS.count();
		});
	}

	private static Set<Integer> owned(ShardMembership member) {
		Set<Integer> owned = new HashSet<>();
		IntStream.range(0, SLOTS.count()).filter(member::isOwner).forEach(owned::add);
		return owned;
	}

	private ShardMembership member(String identity, ShardMembershipConfig config) {
		return member(identity, config, ClientHttpConnectorBuilder.reactor());
	}

	private ShardMembership member(String identity, ShardMembershipConfig config,
			ClientHttpConnectorBuilder<?> connector) {
		Ledger ledger = new Ledger();
		ShardMembership member = new ShardMembership(store(identity, connector), new RendezvousAssignment(SLOTS),
				config, ledger, this.time, this.executor);
		ledger.member = member;
		this.all.add(member);
		this.members.add(member);
		return member;
	}

	private MemberStore store(String identity, ClientHttpConnectorBuilder<?> connector) {
		return client(connector).shardMembers("apps", "shop", identity);
	}

	private ApiServerClient client(ClientHttpConnectorBuilder<?> connector) {
		ApiServerClient client = ApiServerClient
			.builder(new ApiServer(this.server.url(), null, TokenSource.none(), "test"))
			.connectorBuilder(connector)
			.build();
		this.clients.add(client);
		return client;
	}

	private boolean exists(String identity) {
		return this.leases.get("apps", "shop." + identity).isPresent();
	}

	private JsonNode lease(String identity) {
		return this.leases.get("apps", "shop." + identity).orElseThrow();
	}

	private String annotation(String identity, String name) {
		return lease(identity).at("/metadata/annotations/reflector.dev~1shard-" + name).asString("");
	}

	/** Checks that epochs grow, and that no other replica owns an acquired slot. */
	private final class Ledger implements ShardCallbacks {

		private volatile @Nullable ShardMembership member;

		@Override
		public void onAcquired(int slot, long epoch) {
			Long before = ShardMembershipIntegrationTests.this.epochs.put(slot, epoch);
			if (before != null && before >= epoch) {
				ShardMembershipIntegrationTests.this.wrong.add("slot " + slot + ": " + epoch + " after " + before);
			}
			ShardMembership own = this.member;
			ShardMembershipIntegrationTests.this.all.forEach((other) -> {
				if (other != own && other.isOwner(slot) && own.epoch(slot) == epoch) {
					ShardMembershipIntegrationTests.this.wrong.add("slot " + slot + ": " + own + " and " + other);
				}
			});
		}

	}

}
