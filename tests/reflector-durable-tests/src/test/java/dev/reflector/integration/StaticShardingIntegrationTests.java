package dev.reflector.integration;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.sql.DataSource;

import dev.reflector.ConsistencyReport;
import dev.reflector.ReflectorStatus.Shard.FilteredBy;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.fixture.LongForm;
import dev.reflector.sharding.Slots;
import dev.reflector.snapshot.jdbc.fixture.PostgresServer;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.RecordedRequest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests applications that each mirror one shard, with a server that supports shards, and
 * with one that does not.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StaticShardingIntegrationTests extends WidgetServer {

	/** Enough objects to distinguish by their number whether server or client filters. */
	private static final int OBJECTS = 240;

	private static final int NAMESPACES = 120;

	private final List<MirrorApplication> replicas = new ArrayList<>();

	private String database;

	@AfterEach
	void closeReplicas() {
		this.replicas.forEach(MirrorApplication::close);
	}

	private void serve(boolean sharding, boolean said) {
		this.server.close();
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Widget", "widgets", true)
			.sharding(sharding)
			.shardInfoOnCustomResources(said)
			.start();
		this.widgets = this.server.resources("widgets");
	}

	private void create(String namespace, String name) {
		this.widgets
			.create(Map.of("metadata", Map.of("namespace", namespace, "name", name), "spec", Map.of("size", 1)));
	}

	/**
	 * Names that differ near the beginning: those that differ in the last characters have
	 * hashes nearby.
	 */
	private static String namespace(int i) {
		return i % NAMESPACES + "-team-of-the-shop";
	}

	private void createMany() {
		IntStream.range(0, OBJECTS).forEach((i) -> create(namespace(i), "w" + i));
	}

	private void start(int count, String... more) {
		for (int i = 0; i < count; i++) {
			List<String> properties = new ArrayList<>(List.of("reflector.api-server.url=" + this.server.url(),
					// event loops of Reactor Netty are shared by all contexts of a
					// process
					"spring.http.clients.reactive.connector=jdk", "reflector.sharding.enabled=true",
					"reflector.sharding.count=" + count, "reflector.sharding.leases.enabled=false",
					"HOSTNAME=shop-" + i));
			properties.addAll(List.of(more));
			this.replicas.add(MirrorApplication.start(this::register, properties.toArray(String[]::new)));
		}
	}

	private void register(ConfigurableApplicationContext context) {
		GenericApplicationContext generic = (GenericApplicationContext) context;
		generic.registerBean(MeterRegistry.class, SimpleMeterRegistry::new);
		if (this.database != null) {
			generic.registerBean(DataSource.class, () -> PostgresServer.pool(this.database));
		}
	}

	/** Returns the objects that each replica should have. */
	private List<Map<String, String>> shares(String field) {
		int count = this.replicas.size();
		List<Map<String, String>> shares = new ArrayList<>();
		this.replicas.forEach((replica) -> shares.add(new TreeMap<>()));
		for (JsonNode widget : this.widgets.list()) {
			JsonNode metadata = widget.path("metadata");
			shares.get(owner(metadata.path(field).asString(), count))
				.put(metadata.path("namespace").asString() + "/" + metadata.path("name").asString(),
						metadata.path("resourceVersion").asString());
		}
		return shares;
	}

	private static int owner(String value, int count) {
		return new Slots(64).slotOf(value) * count / 64;
	}

	private String uid(String namespace, String name) {
		return this.widgets.get(namespace, name).orElseThrow().at("/metadata/uid").asString();
	}

	private void awaitShares(String field) {
		await().pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
			List<Map<String, String>> shares = shares(field);
			for (int i = 0; i < shares.size(); i++) {
				assertThat(this.replicas.get(i).mirror()).isEqualTo(shares.get(i));
				assertThat(this.replicas.get(i).heard.folded()).isEqualTo(shares.get(i));
			}
		});
		Map<String, String> union = new TreeMap<>();
		this.replicas.forEach((replica) -> union.putAll(replica.mirror()));
		assertThat(union).isEqualTo(MirrorApplication.contentOf(this.widgets));
		assertThat(this.replicas.stream().mapToInt((replica) -> replica.mirror().size()).sum()).isEqualTo(union.size());
	}

	private static List<FilteredBy> filteredBy(List<MirrorApplication> replicas) {
		return replicas.stream().map((replica) -> replica.reflector.shard().filteredBy()).toList();
	}

	static Stream<Arguments> filtersAndFields() {
		return LongForm.some(Stream.of(arguments(true, "uid"), arguments(false, "uid"), arguments(true, "namespace"),
				arguments(false, "namespace")));
	}

	@ParameterizedTest
	@MethodSource("filtersAndFields")
	void x27_sharesAddUpToTheCollectionWhoeverFilters(boolean byServer, String field) throws Exception {
		serve(byServer, false);
		createMany();
		start(4, "reflector.sharding.field=" + field);
		awaitShares(field);
		for (int i = 0; i < OBJECTS; i += 3) {
			this.widgets.mergePatch(namespace(i), "w" + i, Map.of("spec", Map.of("size", 2)));
		}
		for (int i = 1; i < OBJECTS; i += 3) {
			this.widgets.delete(namespace(i), "w" + i);
		}
		IntStream.range(0, 40).forEach((i) -> create(namespace(i), "new" + i));
		awaitShares(field);
		for (MirrorApplication replica : this.replicas) {
			assertThat(replica.heard.mistakes).isEmpty();
			assertThat(replica.reflector.verify().toCompletableFuture().get(60, TimeUnit.SECONDS).result())
				.isEqualTo(ConsistencyReport.Result.EQUAL);
		}
		FilteredBy expected = byServer ? FilteredBy.SERVER : FilteredBy.CLIENT;
		assertThat(filteredBy(this.replicas)).hasSize(4).containsOnly(expected);
		assertThat(this.server.requests((request) -> request.isList() || request.isWatch())).isNotEmpty()
			.allSatisfy((request) -> assertThat(request.parameter("shardSelector"))
				.startsWith("shardRange(object.metadata." + field + ", "));
		MirrorApplication third = this.replicas.get(2);
		assertThat(new ReflectorsEndpoint(() -> Stream.of(third.reflector)).reflector("widgets").shard())
			.isEqualTo(third.reflector.shard())
			.satisfies((shard) -> assertThat(shard.index()).isEqualTo(2))
			.satisfies((shard) -> assertThat(shard.filteredBy()).isEqualTo(expected));
		assertThat(third.context.getBean(MeterRegistry.class).get("reflector.shard.filtered.here").gauge().value())
			.isEqualTo(byServer ? 0 : 1);
	}

	static Stream<Boolean> filters() {
		return LongForm.some(Stream.of(true, false));
	}

	@ParameterizedTest
	@MethodSource("filters")
	void anObjectThatIsCreatedAgainMayBelongToAnotherReplica(boolean byServer) {
		serve(byServer, false);
		create("default", "a");
		start(2);
		awaitShares("uid");
		if (byServer) {
			// who filters is not known from few objects
			assertThat(filteredBy(this.replicas)).containsOnly(FilteredBy.UNKNOWN);
		}
		int before = owner(uid("default", "a"), 2);
		do {
			this.widgets.delete("default", "a");
			create("default", "a");
		}
		while (owner(uid("default", "a"), 2) == before);
		awaitShares("uid");
		assertThat(this.replicas.get(before).heard.events).contains("-a");
		assertThat(this.replicas.get(1 - before).mirror()).containsOnlyKeys("default/a");
		assertThat(this.replicas.get(1 - before).heard.events).doesNotContain("-a");
		this.replicas.forEach((replica) -> assertThat(replica.heard.mistakes).isEmpty());
	}

	@Test
	void aListMaySayWhoFilters() {
		serve(true, true);
		create("default", "a");
		start(2, "reflector.watch.initial-list=list");
		awaitShares("uid");
		assertThat(this.server.requests(RecordedRequest::isList)).isNotEmpty();
		// a replica without an object is in step before its list has come
		await().untilAsserted(() -> assertThat(filteredBy(this.replicas)).containsOnly(FilteredBy.SERVER));
	}

	@Test
	void eachShareHasItsOwnSnapshotInTheSameStore() throws Exception {
		serve(false, false);
		IntStream.range(0, 40).forEach((i) -> create("default", "w" + i));
		this.database = PostgresServer.get().newDatabase();
		String[] durable = { "reflector.snapshot.enabled=true", "reflector.events.on-error=stop",
				"reflector.snapshot.jdbc.initialize-schema=always" };
		start(2, durable);
		awaitShares("uid");
		this.replicas.forEach(DurableScenario::awaitStored);
		closeAll();
		this.widgets.delete("default", "w0");
		start(2, durable);
		await().until(() -> this.replicas.stream().mapToInt((replica) -> replica.mirror().size()).sum() == 39);
		List<Map<String, String>> shares = shares("uid");
		for (int i = 0; i < 2; i++) {
			assertThat(this.replicas.get(i).mirror()).isEqualTo(shares.get(i));
			assertThat(this.replicas.get(i).reflector.durability().writing()).isTrue();
		}
		await().until(
				() -> Stream
					.concat(DurableScenario.kinds(this.replicas.get(0)).stream(),
							DurableScenario.kinds(this.replicas.get(1)).stream())
					.toList()
					.equals(List.of("-w0")));
		assertThat(this.replicas.stream().mapToInt((replica) -> replica.reflector.durability().restored()).sum())
			.isEqualTo(40);
		closeAll();
		start(1, durable);
		awaitShares("uid");
		assertThat(this.replicas)
			.allSatisfy((replica) -> assertThat(replica.reflector.durability().restored()).isZero());
	}

	private void closeAll() {
		this.replicas.forEach(MirrorApplication::close);
		this.replicas.clear();
	}

}
