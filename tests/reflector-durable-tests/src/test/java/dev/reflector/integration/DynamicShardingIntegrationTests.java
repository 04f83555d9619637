package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.actuate.health.ShardMembershipHealthIndicator;
import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.event.ShardsUnownedEvent;
import dev.reflector.fixture.LongForm;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.sharding.RendezvousAssignment;
import dev.reflector.sharding.Slots;
import dev.reflector.sharding.membership.ShardMembership;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.EmbeddedApiServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests applications that divide a collection among them, and see each other by their
 * Leases on the embedded server.
 */
@ExtendWith(OutputCaptureExtension.class)
class DynamicShardingIntegrationTests extends WidgetServer {

	private static final Slots SLOTS = new Slots(16);

	private static final int OBJECTS = 80;

	private final Map<String, MirrorApplication> replicas = new LinkedHashMap<>();

	private @Nullable String database;

	/** The action of the next replica's listeners when a slot is acquired. */
	private Consumer<ShardAcquiredEvent> acquiring = (event) -> {
	};

	@Override
	EmbeddedApiServer newServer() {
		return server(false);
	}

	private static EmbeddedApiServer server(boolean sharding) {
		return EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.type("coordination.k8s.io/v1", "Lease", "leases", true)
			.sharding(sharding)
			.start();
	}

	@AfterEach
	void closeReplicas() {
		this.replicas.values().forEach((replica) -> log(replica).hook = (event) -> {
		});
		this.replicas.values().forEach(MirrorApplication::close);
	}

	private MirrorApplication replica(String identity, String... more) {
		List<String> properties = new ArrayList<>(List.of("reflector.api-server.url=" + this.server.url(),
				// event loops of Reactor Netty are shared by all contexts of a process
				"spring.http.clients.reactive.connector=jdk", "reflector.sharding.enabled=true",
				"reflector.sharding.slots=" + SLOTS.count(), "reflector.sharding.leases.namespace=default",
				"reflector.sharding.leases.group=shop", "reflector.sharding.leases.identity=" + identity,
				"reflector.sharding.leases.retry-period=100ms"));
		if (Stream.of(more).noneMatch((property) -> property.startsWith("reflector.sharding.assignment"))) {
			properties.add("reflector.sharding.assignment=dynamic");
		}
		properties.addAll(List.of(more));
		MirrorApplication replica = MirrorApplication.start(this::register, properties.toArray(String[]::new));
		this.replicas.put(identity, replica);
		return replica;
	}

	private void register(ConfigurableApplicationContext context) {
		GenericApplicationContext generic = (GenericApplicationContext) context;
		if (this.database != null) {
			generic.registerBean(DataSource.class, () -> PostgresServer.pool(this.database));
		}
		generic.registerBean(MeterRegistry.class, SimpleMeterRegistry::new);
		Consumer<ShardAcquiredEvent> acquiring = this.acquiring;
		generic.registerBean(ShardLog.class, () -> new ShardLog(acquiring));
	}

	private void createMany(String prefix) {
		IntStream.range(0, OBJECTS).forEach((i) -> create(prefix + i));
	}

	private static ShardMembership membership(MirrorApplication replica) {
		return replica.context.getBean(ShardMembership.class);
	}

	private static ShardLog log(MirrorApplication replica) {
		return replica.context.getBean(ShardLog.class);
	}

	private static Set<Integer> owned(MirrorApplication replica) {
		return IntStream.range(0, SLOTS.count())
			.filter(membership(replica)::isOwner)
			.boxed()
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** The objects of slots, with their versions. */
	private Map<String, String> share(Set<Integer> slots) {
		Map<String, String> share = new TreeMap<>();
		for (JsonNode widget : this.widgets.list()) {
			JsonNode metadata = widget.path("metadata");
			if (slots.contains(SLOTS.slotOf(metadata.path("uid").asString()))) {
				share.put(metadata.path("namespace").asString() + "/" + metadata.path("name").asString(),
						metadata.path("resourceVersion").asString());
			}
		}
		return share;
	}

	/**
	 * Waits until each slot has one owner, which mirrors and delivers only its own slots.
	 */
	private void awaitDivided(String... identities) {
		await().pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
			List<Integer> all = new ArrayList<>();
			for (String identity : identities) {
				MirrorApplication replica = this.replicas.get(identity);
				Set<Integer> owned = owned(replica);
				assertThat(owned).isNotEmpty();
				all.addAll(owned);
				Map<String, String> share = share(owned);
				assertThat(replica.mirror()).isEqualTo(share);
				assertThat(log(replica).folded()).isEqualTo(share);
			}
			assertThat(all).containsExactlyInAnyOrderElementsOf(IntStream.range(0, SLOTS.count()).boxed().toList());
		});
		for (String identity : identities) {
			assertThat(log(this.replicas.get(identity)).mistakes).isEmpty();
		}
	}

	private void change() {
		for (int i = 0; i < OBJECTS; i += 3) {
			this.widgets.mergePatch("default", "w" + i, Map.of("spec", Map.of("size", i)));
		}
		for (int i = 1; i < OBJECTS; i += 9) {
			this.widgets.delete("default", "w" + i);
			create("w" + i);
		}
	}

	static Stream<Boolean> filters() {
		return LongForm.some(Stream.of(true, false));
	}

	@ParameterizedTest
	@MethodSource("filters")
	void x29_slotsMoveToThoseThatAreThereAndEachHasOneOwner(boolean byServer) {
		this.server.close();
		this.server = server(byServer);
		this.widgets = this.server.resources("widgets");
		createMany("w");
		replica("a");
		awaitDivided("a");
		replica("b");
		awaitDivided("a", "b");
		assertShowsWhatIsOwned(this.replicas.get("a"));
		change();
		awaitDivided("a", "b");
		replica("c");
		awaitDivided("a", "b", "c");
		change();
		this.replicas.remove("a").close();
		awaitDivided("b", "c");
		change();
		awaitDivided("b", "c");
		assertThat(this.replicas.values()).allSatisfy((replica) -> {
			assertThat(log(replica).events).noneMatch((event) -> event.contains("LAPSED"));
			assertThat(replica.reflector.shard().filteredBy().name()).isEqualTo(byServer ? "SERVER" : "CLIENT");
			assertThat(replica.reflector.verify().toCompletableFuture().get(60, TimeUnit.SECONDS).result().name())
				.isEqualTo("EQUAL");
		});
	}

	@Test
	void theSlotsOfAReplicaThatIsGoneAreTakenOverWhenItsLeaseHasExpired() {
		String[] shortLeases = { "reflector.sharding.leases.lease-duration=2s",
				"reflector.sharding.leases.renew-deadline=1s" };
		createMany("w");
		replica("a", shortLeases);
		replica("b", shortLeases);
		awaitDivided("a", "b");
		MirrorApplication gone = this.replicas.get("a");
		// on a slow machine, its lease may just have lapsed
		Set<Integer> before = await().until(() -> owned(gone), (owned) -> !owned.isEmpty());
		membership(gone).abort();
		await().until(() -> log(gone).folded().isEmpty());
		// which does not show that a slot without an object was released
		await().untilAsserted(
				() -> assertThat(log(gone).events).contains("released " + before.iterator().next() + " LAPSED"));
		awaitDivided("b");
		change();
		awaitDivided("b");
		membership(gone).start();
		awaitDivided("a", "b");
	}

	@Test
	void aSlotHasNoOwnerUntilTheListenerOfTheFormerOwnerHasReturned() throws Exception {
		createMany("w");
		MirrorApplication first = replica("a");
		awaitDivided("a");
		CountDownLatch called = new CountDownLatch(1);
		CountDownLatch goOn = new CountDownLatch(1);
		int[] slot = new int[1];
		log(first).hook = (event) -> {
			slot[0] = event.ownership().slot();
			called.countDown();
			hang(goOn);
		};
		// an object of a slot that will move
		String moving = IntStream.range(0, OBJECTS).mapToObj((i) -> "w" + i).filter((name) -> {
			String uid = this.widgets.get("default", name).orElseThrow().at("/metadata/uid").asString();
			return RendezvousAssignment.wins(SLOTS.slotOf(uid), "b", "a");
		}).findFirst().orElseThrow();
		this.widgets.mergePatch("default", moving, Map.of("spec", Map.of("size", 77)));
		assertThat(called.await(60, TimeUnit.SECONDS)).isTrue();
		MirrorApplication second = replica("b");
		await().until(() -> !owned(second).isEmpty() && !membership(first).isOwner(slot[0]));
		assertThat(membership(second).isOwner(slot[0])).isFalse();
		assertThat(log(second).events).noneMatch((event) -> event.endsWith(" " + moving));
		goOn.countDown();
		awaitDivided("a", "b");
		assertThat(membership(second).isOwner(slot[0])).isTrue();
	}

	@Test
	@LongFormOnly
	void aListenerOfASlotThatHangsHoldsUpItsObjectsAloneAndIsReportedByAll(CapturedOutput output) {
		String[] times = { "reflector.sharding.leases.lease-duration=3s", "reflector.sharding.leases.renew-deadline=1s",
				"reflector.sharding.leases.unowned-after=3100ms", "reflector.events.slow-listener-threshold=1s" };
		createMany("w");
		int slot = IntStream.range(0, SLOTS.count())
			.filter((number) -> RendezvousAssignment.wins(number, "a", "b"))
			.findFirst()
			.orElseThrow();
		CountDownLatch goOn = new CountDownLatch(1);
		this.acquiring = (event) -> {
			if (event.slot() == slot) {
				hang(goOn);
			}
		};
		MirrorApplication hanging = replica("a", times);
		Set<Integer> others = IntStream.range(0, SLOTS.count()).boxed().collect(Collectors.toSet());
		others.remove(slot);
		await().untilAsserted(() -> assertThat(log(hanging).folded()).isEqualTo(share(others)));
		assertThat(health(hanging).getStatus().getCode()).isNotEqualTo("UP");
		this.acquiring = (event) -> {
		};
		MirrorApplication second = replica("b", times);
		await().untilAsserted(() -> assertThat(this.replicas.values()).allSatisfy((replica) -> {
			assertThat(log(replica).unowned).isNotEmpty();
			assertThat(log(replica).unowned.get(log(replica).unowned.size() - 1).slots()).containsExactly(slot);
			assertThat(health(replica).getStatus().getCode()).isEqualTo("DOWN");
			assertThat(gauge(replica, "reflector.shards.unowned")).isEqualTo(1);
		}));
		// a busy machine may cost it its Lease for a moment
		await().untilAsserted(() -> {
			assertThat(slots(hanging, "undelivered")).isEqualTo(1);
			assertThat(slots(hanging, "delivered")).isEqualTo(membership(hanging).owned() - 1);
		});
		await().untilAsserted(() -> assertThat(output).contains(
				"The listener dev.reflector.integration.ShardLog.acquired(dev.reflector.event.ShardAcquiredEvent) "
						+ "is still busy with ShardAcquiredEvent[slot " + slot + ","));
		goOn.countDown();
		await().untilAsserted(() -> {
			assertThat(health(second).getStatus().getCode()).isEqualTo("UP");
			assertThat(health(hanging).getStatus().getCode()).isEqualTo("UP");
			assertThat(log(hanging).folded()).containsAllEntriesOf(share(Set.of(slot)));
		});
	}

	/** Two applications with the same name, or one whose settings were changed. */
	@Test
	@LongFormOnly
	void aReplicaThatDividesObjectsInAnotherWayTakesNothingAndOneOfAnotherApplicationIsReported(CapturedOutput output) {
		createMany("w");
		replica("a", "spring.application.name=api");
		awaitDivided("a");
		MirrorApplication other = replica("b", "spring.application.name=worker", "reflector.sharding.field=namespace");
		await().until(() -> health(other).getDetails().containsKey("conflict"));
		assertThat(health(other).getStatus().getCode()).isEqualTo("DOWN");
		assertThat(health(other).getDetails()).containsEntry("conflict",
				"a divides objects by object.metadata.uid, this replica by object.metadata.namespace");
		await().until(() -> output.getOut().contains("a is of the application 'api', this replica of 'worker'"));
		await().until(() -> output.getOut().contains("b is of the application 'worker', this replica of 'api'"));
		assertThat(owned(other)).isEmpty();
		awaitDivided("a");
		assertThat(health(this.replicas.get("a")).getStatus().getCode()).isEqualTo("UP");
		this.replicas.remove("a").close();
		await().until(() -> owned(other).size() == SLOTS.count());
	}

	@Test
	@LongFormOnly
	void aListenerOfObjectsThatHangsIsReportedByAll() {
		String[] times = { "reflector.sharding.leases.lease-duration=3s", "reflector.sharding.leases.renew-deadline=1s",
				"reflector.sharding.leases.unowned-after=3100ms" };
		createMany("w");
		MirrorApplication hanging = replica("a", times);
		MirrorApplication second = replica("b", times);
		awaitDivided("a", "b");
		CountDownLatch goOn = new CountDownLatch(1);
		log(hanging).hook = (event) -> hang(goOn);
		IntStream.range(0, OBJECTS)
			.forEach((i) -> this.widgets.mergePatch("default", "w" + i, Map.of("spec", Map.of("size", 77))));
		await().untilAsserted(() -> assertThat(this.replicas.values()).allSatisfy((replica) -> {
			assertThat(health(replica).getStatus().getCode()).isEqualTo("DOWN");
			assertThat(membership(replica).unowned()).isEqualTo(membership(hanging).desired().toSet());
		}));
		goOn.countDown();
		await().untilAsserted(() -> assertThat(health(second).getStatus().getCode()).isEqualTo("UP"));
	}

	private static void hang(CountDownLatch latch) {
		try {
			latch.await(60, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void replicasThatAreTooFewForTheirCountReportTheSlotsThatNobodyOwns() {
		createMany("w");
		for (int i = 0; i < 2; i++) {
			replica("shop-" + i, "reflector.sharding.assignment=fixed", "reflector.sharding.count=3",
					"reflector.sharding.index=" + i, "reflector.sharding.leases.lease-duration=1s",
					"reflector.sharding.leases.renew-deadline=800ms", "reflector.sharding.leases.unowned-after=1100ms");
		}
		Set<Integer> missing = IntStream.range(10, 16).boxed().collect(Collectors.toSet());
		// one replica may have been there for so long that it missed the slots of the
		// other
		await().untilAsserted(() -> assertThat(this.replicas.values()).allSatisfy((replica) -> {
			assertThat(log(replica).unowned).isNotEmpty();
			ShardsUnownedEvent event = log(replica).unowned.get(log(replica).unowned.size() - 1);
			assertThat(event.slots()).isEqualTo(missing);
			assertThat(event.identity()).isEqualTo(membership(replica).identity());
			Health health = health(replica);
			assertThat(health.getStatus().getCode()).isEqualTo("DOWN");
			assertThat(health.getDetails()).containsEntry("unowned", missing);
			assertThat(gauge(replica, "reflector.shards.unowned")).isEqualTo(6);
		}));
		replica("shop-2", "reflector.sharding.assignment=fixed", "reflector.sharding.count=3",
				"reflector.sharding.index=2", "reflector.sharding.leases.unowned-after=50s");
		awaitDivided("shop-0", "shop-1", "shop-2");
		await().until(() -> health(this.replicas.get("shop-0")).getStatus().getCode().equals("UP"));
	}

	@Test
	@LongFormOnly
	void ofTwoReplicasWithTheSameIndexOneDelivers() {
		createMany("w");
		String[] same = { "reflector.sharding.assignment=fixed", "reflector.sharding.count=1",
				"reflector.sharding.index=0" };
		MirrorApplication first = replica("a", same);
		await().until(() -> log(first).folded().size() == OBJECTS);
		MirrorApplication second = replica("b", same);
		await().until(() -> second.mirror().size() == OBJECTS && membership(second).isMember());
		assertThat(log(second).events).isEmpty();
		this.replicas.remove("a").close();
		await().until(() -> log(second).folded().equals(share(owned(second))) && owned(second).size() == 16);
	}

	@Test
	void x32_withSnapshotsTheNextOwnerOfASlotTellsOnlyWhatTheOneBeforeHasNot() throws Exception {
		this.database = PostgresServer.get().newDatabase();
		String[] durable = { "reflector.snapshot.enabled=true", "reflector.events.on-error=stop",
				"reflector.snapshot.jdbc.initialize-schema=always" };
		createMany("w");
		MirrorApplication first = replica("a", durable);
		await().until(() -> told(first).size() == OBJECTS);
		await().until(() -> first.reflector.durability().size() == OBJECTS
				&& first.reflector.durability().behindSince() == null);
		MirrorApplication second = replica("b",
				Stream.concat(Stream.of(durable), Stream.of("reflector.snapshot.commit-interval=2s"))
					.toArray(String[]::new));
		await().until(() -> owned(first).size() + owned(second).size() == SLOTS.count() && !owned(second).isEmpty()
				&& second.reflector.durability().restored() > 0);
		this.replicas.remove("a").close();
		await().until(() -> owned(second).size() == SLOTS.count() && second.reflector.durability().size() == OBJECTS);
		assertThat(told(second)).isEmpty();
		// as around a checkpoint: the same beans take the slots again
		second.context.stop();
		this.widgets.delete("default", "w0");
		second.context.start();
		await().until(() -> told(second).equals(List.of("ResourceDeletedEvent w0")));
		await().until(() -> owned(second).size() == SLOTS.count());
		await().until(() -> second.reflector.durability().size() == OBJECTS - 1);
		// the next commit is due in 2 s, so this is stored only because the replica stops
		this.widgets.mergePatch("default", "w2", Map.of("spec", Map.of("size", 77)));
		await().until(() -> told(second).size() == 2);
		this.replicas.remove("b").close();
		this.widgets.delete("default", "w1");
		create("new");
		MirrorApplication third = replica("c", durable);
		await().until(() -> told(third).size() == 2);
		assertThat(told(third)).containsExactlyInAnyOrder("ResourceDeletedEvent w1", "ResourceAddedEvent new");
		assertThat(log(third).mistakes).isEmpty();
	}

	private static List<String> told(MirrorApplication replica) {
		return log(replica).events.stream().filter((event) -> event.startsWith("Resource")).toList();
	}

	private static void assertShowsWhatIsOwned(MirrorApplication first) {
		int owned = owned(first).size();
		assertThat(gauge(first, "reflector.shards.member")).isEqualTo(1);
		assertThat(gauge(first, "reflector.shards.owned")).isEqualTo(owned);
		assertThat(gauge(first, "reflector.shards.desired")).isEqualTo(owned);
		assertThat(gauge(first, "reflector.shards.unowned")).isZero();
		assertThat(health(first).getDetails()).containsEntry("identity", "a")
			.containsEntry("group", membership(first).group())
			.containsEntry("slots", 16)
			.containsEntry("owned", owned);
		assertThat(new ReflectorsEndpoint(() -> Stream.of(first.reflector)).reflector("widgets").shard())
			.satisfies((shard) -> {
				assertThat(shard.index()).isNull();
				assertThat(shard.slots().all()).isEqualTo(16);
				assertThat(shard.slots().mirrored()).isEqualTo(owned);
				assertThat(shard.slots().delivered()).isEqualTo(owned);
			});
		assertThat(first.context.getBean(RbacManifest.class).yaml()).endsWith("""
				---
				# bind it with: kubectl create rolebinding application-reflectors-shards --namespace=default \
				--role=application-reflectors-shards --serviceaccount=NAMESPACE:NAME
				apiVersion: rbac.authorization.k8s.io/v1
				kind: Role
				metadata:
				  name: "application-reflectors-shards"
				  namespace: "default"
				rules:
				- apiGroups: ["coordination.k8s.io"]
				  resources: ["leases"]
				  verbs: ["list", "create", "update", "delete"]
				""");
	}

	private static Health health(MirrorApplication replica) {
		return replica.context.getBean(ShardMembershipHealthIndicator.class).health(true);
	}

	private static double slots(MirrorApplication replica, String state) {
		return replica.context.getBean(MeterRegistry.class)
			.get("reflector.shards.slots")
			.tag("state", state)
			.gauge()
			.value();
	}

	private static double gauge(MirrorApplication replica, String name) {
		return replica.context.getBean(MeterRegistry.class).get(name).gauge().value();
	}

}
