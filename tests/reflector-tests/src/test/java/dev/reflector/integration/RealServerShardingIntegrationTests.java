package dev.reflector.integration;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.reflector.ReflectorStatus.Shard.FilteredBy;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.sharding.ShardField;
import dev.reflector.sharding.Slots;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

/**
 * Replicas that divide the widgets of a real API server, whether or not its feature gate
 * {@code ShardedListAndWatch} is on: each counts the bytes that it receives. Creates and
 * deletes widgets in the namespace {@code default}.
 */
@EnabledIfSystemProperty(named = "reflector.it.kubeconfig", matches = ".+",
		disabledReason = "no real API server: name one with -Dreflector.it.kubeconfig=<file>")
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class RealServerShardingIntegrationTests {

	private static final int OBJECTS = 400;

	private static final int LETTERS = 2500;

	private static final String COLLECTION = "/apis/example.com/v1/widgets";

	private final String prefix = "shard-" + Long.toHexString(System.nanoTime()) + "-";

	private final RealServer server = new RealServer(System.getProperty("reflector.it.kubeconfig"));

	private final List<Relay> relays = new ArrayList<>();

	private final List<MirrorApplication> replicas = new ArrayList<>();

	@AfterEach
	void cleanUp() throws Exception {
		stop();
		for (int i = 0; i < OBJECTS; i++) {
			this.server.send("DELETE", RealServer.WIDGETS + "/" + this.prefix + i, "");
		}
	}

	private void stop() throws IOException {
		this.replicas.forEach(MirrorApplication::close);
		this.replicas.clear();
		for (Relay relay : this.relays) {
			relay.close();
		}
		this.relays.clear();
	}

	private void start(String... properties) throws IOException {
		Relay relay = new Relay(this.server.url());
		this.relays.add(relay);
		List<String> all = new ArrayList<>(List.of("spring.http.clients.reactive.connector=jdk"));
		all.addAll(List.of(properties));
		this.replicas.add(MirrorApplication.start((context) -> {
			GenericApplicationContext generic = (GenericApplicationContext) context;
			generic.registerBean(MeterRegistry.class, SimpleMeterRegistry::new);
			generic.registerBean(ReflectorConnectionDetails.class, () -> () -> this.server.behind(relay));
		}, all.toArray(String[]::new)));
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4 })
	void eachReplicaReceivesItsShareOfTheBytesIfTheServerFilters(int count, CapturedOutput output) throws Exception {
		createMany();
		boolean filters = serverFilters();
		start();
		awaitMirrored();
		long everything = this.relays.get(0).answered();
		stop();
		for (int i = 0; i < count; i++) {
			start("reflector.sharding.enabled=true", "reflector.sharding.leases.enabled=false",
					"reflector.sharding.count=" + count, "reflector.sharding.index=" + i);
		}
		awaitMirrored();
		int all = listed("").size();
		for (int i = 0; i < count; i++) {
			MirrorApplication replica = this.replicas.get(i);
			double share = (double) replica.mirror().size() / all;
			double bytes = (double) this.relays.get(i).answered() / everything;
			System.out.printf("%d replicas, the server filters: %s. Replica %d mirrors %.3f, and receives %.3f%n",
					count, filters, i, share, bytes);
			// there are also handshakes and bookmarks
			assertThat(bytes).isCloseTo(filters ? share : 1, within(0.1));
			assertSaid(replica, filters);
		}
		assertThat(output).containsPattern(filters ? "so far, it has sent only objects of shard"
				: "the server does not filter by shard, so the client drops objects that are not of shard");
	}

	private static void assertSaid(MirrorApplication replica, boolean filters) {
		assertThat(new ReflectorsEndpoint(() -> Stream.of(replica.reflector)).reflector("widgets").shard().filteredBy())
			.isEqualTo(filters ? FilteredBy.SERVER : FilteredBy.CLIENT);
		assertThat(replica.context.getBean(MeterRegistry.class).get("reflector.shard.filtered.here").gauge().value())
			.isEqualTo(filters ? 0 : 1);
	}

	/** Asks the server itself, in the way of any client. */
	private boolean serverFilters() throws Exception {
		Set<String> half = listed("?shardSelector=" + URLEncoder
			.encode(new Slots(2).selector(ShardField.UID, Set.of(0)).toString(), StandardCharsets.UTF_8));
		Set<String> all = listed("");
		assertThat(half.size()).satisfiesAnyOf((size) -> assertThat(size).isEqualTo(all.size()),
				(size) -> assertThat(size).isBetween(all.size() / 4, all.size() * 3 / 4));
		return half.size() < all.size();
	}

	private Set<String> listed(String query) throws Exception {
		JsonNode list = JsonMapper.shared().readTree(this.server.send("GET", COLLECTION + query, "").body());
		return list.path("items")
			.valueStream()
			.map((item) -> item.at("/metadata/uid").asString())
			.collect(Collectors.toSet());
	}

	/** All replicas together mirror everything, and nothing twice. */
	private void awaitMirrored() {
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
			int all = listed("").size();
			TreeMap<String, String> union = new TreeMap<>();
			this.replicas.forEach((replica) -> union.putAll(replica.mirror()));
			assertThat(union).hasSize(all);
			assertThat(this.replicas.stream().mapToInt((replica) -> replica.mirror().size()).sum()).isEqualTo(all);
		});
	}

	private void createMany() throws Exception {
		for (int i = 0; i < OBJECTS; i++) {
			Random random = new Random(i);
			String letters = IntStream.range(0, LETTERS)
				.mapToObj((position) -> Character.toString('a' + random.nextInt(26)))
				.collect(Collectors.joining());
			assertThat(this.server.send("POST", RealServer.WIDGETS, """
					{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"%s"},
					 "spec":{"size":%d,"letters":"%s"}}""".formatted(this.prefix + i, i, letters)).statusCode())
				.isEqualTo(201);
		}
	}

}
