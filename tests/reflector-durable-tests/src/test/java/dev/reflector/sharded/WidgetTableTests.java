package dev.reflector.sharded;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;

import dev.reflector.cache.handler.Ownership;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.event.ShardReleasedEvent;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.sharding.membership.ShardCallbacks.ReleaseReason;
import dev.reflector.sharding.membership.ShardMembership;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.Fault;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.jdbc.core.simple.JdbcClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two replicas that write one table, each for the slots that it owns. The table refuses
 * what an owner of before still writes.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WidgetTableTests {

	private static final int OBJECTS = 40;

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Widget", "widgets", true)
		.type("coordination.k8s.io/v1", "Lease", "leases", true)
		.start();

	private final ResourceCollection widgets = this.server.resources("widgets");

	private final String url = "jdbc:h2:mem:" + System.nanoTime() + ";DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";

	private final JdbcClient jdbc = JdbcClient.create(WidgetTableReplica.dataSource(this.url));

	private final List<ConfigurableApplicationContext> replicas = new ArrayList<>();

	@BeforeEach
	void createTables() {
		WidgetTableReplica.createTables(this.url, 16);
	}

	@AfterEach
	void close() {
		this.replicas.forEach(ConfigurableApplicationContext::close);
		this.server.close();
		this.jdbc.sql("shutdown").update();
	}

	@Test
	void theTableFollowsWhoeverOwnsASlot() {
		IntStream.range(0, OBJECTS).forEach(this::create);
		ConfigurableApplicationContext first = replica("a");
		awaitInStep();
		ConfigurableApplicationContext second = replica("b");
		await().until(() -> owned(first) + owned(second) == 16 && owned(second) > 0);
		for (int i = 0; i < OBJECTS; i += 2) {
			this.widgets.mergePatch("default", "w" + i, Map.of("size", 100 + i));
		}
		for (int i = 0; i < OBJECTS; i += 5) {
			this.widgets.delete("default", "w" + i);
		}
		// rows of a slot without changes may still come from its first owner
		awaitBegun(first, second);
		awaitInStep();
		Heard heard = first.getBean(Heard.class);
		ResourceEvent<Widget> old = heard.events.stream()
			.filter((event) -> !first.getBean(ShardMembership.class).isOwner(event.ownership().slot()))
			.findFirst()
			.orElseThrow();
		WidgetTable table = first.getBean(WidgetTable.class);
		Map<String, Integer> before = table();
		table.change(old);
		heard.acquired.forEach((event) -> {
			if (event.slot() == old.ownership().slot()) {
				table.begin(event);
			}
		});
		assertThat(table()).as("what a replica writes that does not own the slot any more").isEqualTo(before);
		first.close();
		this.widgets.mergePatch("default", "w1", Map.of("size", 1001));
		awaitInStep();
	}

	/** The call of the earlier epoch ends after the table has begun again. */
	@Test
	@LongFormOnly
	void whatWasBegunBeforeALeaseLapsedIsRefusedAfterTheSameReplicaHasAcquiredTheSlotAgain() throws Exception {
		IntStream.range(0, 5).forEach(this::create);
		// the Lease lapses when it is deleted, and not before on a slow machine. The
		// replica may write the next one 100 ms later
		ConfigurableApplicationContext replica = replica("a", "--reflector.sharding.leases.lease-duration=600s",
				"--reflector.sharding.leases.renew-deadline=599900ms",
				"--reflector.sharding.leases.unowned-after=900s");
		awaitInStep();
		Heard heard = replica.getBean(Heard.class);
		heard.blocks = true;
		this.widgets.mergePatch("default", "w0", Map.of("size", 100));
		Ownership earlier = heard.entered.take();
		// a replica that cannot list would hand its slots over first, which waits for the
		// listener
		this.server.fail((request) -> request.method().equals("POST"), Integer.MAX_VALUE, Fault.status(503));
		this.server.resources("leases").delete("default", "shop.a");
		await().until(() -> heard.lapsed.contains(earlier.slot()));
		this.widgets.delete("default", "w0");
		this.server.clearFaults();
		await().until(() -> epochs().get(earlier.slot()) > earlier.epoch());
		heard.released.countDown();
		await().until(() -> heard.events.stream()
			.anyMatch((event) -> event instanceof ResourceUpdatedEvent<?> && earlier.equals(event.ownership())));
		awaitInStep();
		awaitBegun(replica);
	}

	@Test
	void aListenerThatThrowsDoesNotKeepASlotFromBeingTold() {
		IntStream.range(0, OBJECTS).forEach(this::create);
		ConfigurableApplicationContext replica = replica("a", "--failing=true");
		awaitInStep();
		await().untilAsserted(() -> assertThat(replica.getBean(Heard.class).acquired)
			.as("slots told of, also those without a widget, which the table does not show")
			.hasSize(16));
	}

	private void create(int number) {
		this.widgets.create(Map.of("metadata", Map.of("name", "w" + number), "size", number));
	}

	private static int owned(ConfigurableApplicationContext replica) {
		return replica.getBean(ShardMembership.class).owned();
	}

	/** Each slot was begun by its present owner, in the table too. */
	private void awaitBegun(ConfigurableApplicationContext... owners) {
		await().untilAsserted(() -> {
			Map<Integer, Long> epochs = new TreeMap<>();
			for (ConfigurableApplicationContext owner : owners) {
				ShardMembership membership = owner.getBean(ShardMembership.class);
				IntStream.range(0, 16)
					.filter(membership::isOwner)
					.forEach((slot) -> epochs.put(slot, membership.epoch(slot)));
			}
			assertThat(epochs).hasSize(16).isEqualTo(epochs());
		});
	}

	private Map<Integer, Long> epochs() {
		Map<Integer, Long> epochs = new TreeMap<>();
		this.jdbc.sql("select slot, epoch from slots").query((row) -> {
			epochs.put(row.getInt("slot"), row.getLong("epoch"));
		});
		return epochs;
	}

	private void awaitInStep() {
		Map<String, Integer> expected = new TreeMap<>();
		this.widgets.list()
			.forEach((widget) -> expected.put(widget.at("/metadata/name").asString(), widget.path("size").asInt()));
		await().untilAsserted(() -> assertThat(table()).isEqualTo(expected));
	}

	private Map<String, Integer> table() {
		return WidgetTableReplica.sizes(this.url);
	}

	private ConfigurableApplicationContext replica(String identity, String... more) {
		List<String> arguments = new ArrayList<>(List.of("--database=" + this.url, "--spring.main.banner-mode=off",
				// event loops of Reactor Netty are shared by all contexts of a process
				"--spring.http.clients.reactive.connector=jdk", "--reflector.api-server.url=" + this.server.url(),
				"--reflector.sharding.enabled=true", "--reflector.sharding.assignment=dynamic",
				"--reflector.sharding.slots=16", "--reflector.sharding.leases.group=shop",
				"--reflector.sharding.leases.namespace=default", "--reflector.sharding.leases.identity=" + identity,
				"--reflector.sharding.leases.retry-period=100ms"));
		arguments.addAll(List.of(more));
		ConfigurableApplicationContext replica = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
		this.replicas.add(replica);
		return replica;
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import({ WidgetTableReplica.class, Heard.class })
	static class Application {

	}

	static class Heard {

		private final List<ResourceEvent<Widget>> events = new CopyOnWriteArrayList<>();

		private final List<ShardAcquiredEvent> acquired = new CopyOnWriteArrayList<>();

		private final List<Integer> lapsed = new CopyOnWriteArrayList<>();

		private final BlockingQueue<Ownership> entered = new LinkedBlockingQueue<>();

		private final CountDownLatch released = new CountDownLatch(1);

		private volatile boolean blocks;

		@Value("${failing:false}")
		private boolean failing;

		/** Before the listener of the guide. */
		@EventListener
		@Order(Ordered.HIGHEST_PRECEDENCE)
		void before(ResourceUpdatedEvent<Widget> event) throws InterruptedException {
			if (this.blocks) {
				this.entered.add(event.ownership());
				this.released.await();
			}
		}

		@EventListener
		void on(ResourceEvent<Widget> event) {
			this.events.add(event);
		}

		@EventListener
		void on(ShardAcquiredEvent event) {
			this.acquired.add(event);
			if (this.failing) {
				throw new IllegalStateException("a listener that fails");
			}
		}

		@EventListener
		void on(ShardReleasedEvent event) {
			if (event.reason() == ReleaseReason.LAPSED) {
				this.lapsed.add(event.slot());
			}
		}

	}

}
