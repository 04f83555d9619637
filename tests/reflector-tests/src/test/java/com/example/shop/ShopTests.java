package com.example.shop;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.event.ResourceDeadLetterEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.fixture.UnrelatedAutoConfigurations;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.ResolvableType;
import org.springframework.core.task.TaskRejectedException;
import org.springframework.scheduling.annotation.AsyncConfigurer;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/events.md}, over a socket.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@ExtendWith(OutputCaptureExtension.class)
class ShopTests {

	private EmbeddedApiServer server;

	private ResourceCollection orders;

	private ConfigurableApplicationContext context;

	@BeforeEach
	void startServer() {
		this.server = EmbeddedApiServer.builder()
			.type("example.com/v1", "Order", "orders", true)
			.type("example.com/v1", "Invoice", "invoices", true)
			.start();
		this.orders = this.server.resources("orders");
	}

	@AfterEach
	void stop() {
		if (this.context != null) {
			this.context.close();
		}
		this.server.close();
	}

	private <L> L run(Class<?> application, Class<L> listener, String... settings) {
		List<String> arguments = new CopyOnWriteArrayList<>(List.of("--reflector.api-server.url=" + this.server.url(),
				"--spring.reactor.netty.shutdown-quiet-period=0s"));
		List.of(settings).forEach((setting) -> arguments.add("--reflector.events." + setting));
		this.context = new SpringApplicationBuilder(application).web(WebApplicationType.NONE)
			.properties(UnrelatedAutoConfigurations.EXCLUDED)
			.run(arguments.toArray(String[]::new));
		return this.context.getBean(listener);
	}

	private static void create(ResourceCollection collection, String name, int price) {
		collection.create(Map.of("metadata", Map.of("name", name), "price", price));
	}

	@SuppressWarnings("unchecked")
	private Reflector<Order> orderReflector() {
		return (Reflector<Order>) informer();
	}

	private SharedInformer<?> informer() {
		return (SharedInformer<?>) this.context
			.getBeanProvider(ResolvableType.forClassWithGenerics(SharedInformer.class, Order.class))
			.getObject();
	}

	@Test
	void listenersGetTheEventsOfTheirType() {
		create(this.orders, "early", 500);
		Bookkeeping books = run(BookkeepingApplication.class, Bookkeeping.class);
		await().until(() -> books.heard().containsAll(List.of("synced orders", "synced invoices")));
		assertThat(books.heard()).containsSubsequence("order early", "synced orders")
			.contains("anything early", "priced 500 early")
			.doesNotContain("large early");
		create(this.orders, "small", 5);
		create(this.orders, "large", 500);
		create(this.server.resources("invoices"), "bill", 7);
		this.orders.delete("default", "small");
		await().until(() -> books.heard().containsAll(List.of("large large", "second bill"))
				&& heard(books.heard(), "anything small").size() == 2);
		// listeners without an order may receive the last event after listeners with an
		// order
		await().untilAsserted(() -> assertThat(books.heard()).containsSubsequence("first bill", "second bill")
			.contains("priced 7 bill", "order small", "order large", "anything bill")
			.doesNotContain("large small", "order bill")
			.noneMatch((line) -> line.startsWith("never")));
		assertThat(heard(books.heard(), "order small")).hasSize(1);
		Prices prices = this.context.getBean(Prices.class);
		prices.on(new ResourceDeletedEvent<>(orderReflector(), Order.class,
				Change.ofUnknownContent(ResourceKey.of("default", "old"), "u1", "7", Change.Cause.RECOVERED)));
		await().untilAsserted(
				() -> assertThat(prices.gone).containsOnly(Map.entry(ResourceKey.of("default", "small"), "5"),
						Map.entry(ResourceKey.of("default", "old"), "unknown")));
	}

	@Test
	void asyncListenersAreCalledElsewhereAndTransactionsAreTheirOwn() {
		Bookkeeping books = run(BookkeepingApplication.class, Bookkeeping.class);
		create(this.orders, "one", 1);
		await().until(() -> books.heard().stream().anyMatch((line) -> line.startsWith("elsewhere on ")));
		assertThat(books.heard()).noneMatch((line) -> line.startsWith("elsewhere on reflector-"));
		await().until(() -> books.heard().containsAll(List.of("store one", "without a transaction one")));
		assertThat(books.heard()).noneMatch((line) -> line.startsWith("never"));
		// "store" is called before its transaction ends
		await().untilAsserted(() -> assertThat(this.context.getBean(CountingTransactions.class).steps)
			.containsExactly("begin", "commit"));
	}

	@Test
	void aRejectionByTheExecutorIsAFailureOnTheDeliveryThread(CapturedOutput output) {
		Bookkeeping books = run(RejectingApplication.class, Bookkeeping.class);
		create(this.orders, "one", 1);
		List<ResourceDeadLetterEvent<Order>> letters = this.context.getBean(Letters.class).letters;
		await().until(() -> !letters.isEmpty());
		assertThat(books.heard()).contains("order one").noneMatch((line) -> line.startsWith("elsewhere on "));
		ResourceDeadLetterEvent<Order> letter = letters.get(0);
		assertThat(letter.failure()).isInstanceOf(TaskRejectedException.class);
		assertThat(letter.listeners()).singleElement().asString().contains("Bookkeeping.elsewhere(");
		await().until(() -> informer().status().counts().errors() == 1);
		await().untilAsserted(() -> assertThat(output).contains("a listener failed on ADDED default/one"));
	}

	@Test
	@LongFormOnly
	void anExecutorThatRejectsStopsTheDeliveryWhereTheFirstFailureDoes() {
		run(RejectingApplication.class, Bookkeeping.class, "on-error=stop");
		create(this.orders, "one", 1);
		await().until(() -> informer().status().deliveryStopped() != null);
		assertThat(informer().status().deliveryStopped().message()).contains("Bookkeeping.elsewhere(")
			.endsWith("failed with org.springframework.core.task.TaskRejectedException");
	}

	@Test
	void aListenerThatThrowsIsLoggedByNameAndTheOthersGetTheEvent(CapturedOutput output) {
		Shipping shipping = run(ShippingApplication.class, Shipping.class);
		shipping.broken.add("bad");
		create(this.orders, "bad", 1);
		create(this.orders, "good", 1);
		await().until(() -> shipping.heard.contains("count good"));
		assertThat(heard(shipping.heard, "ship bad")).hasSize(1);
		assertThat(shipping.heard).contains("count bad");
		assertThat(shipping.unshipped).containsExactly("default/bad after 1: cannot ship bad");
		assertThat(output).contains("a listener failed on ADDED default/bad")
			.contains("com.example.shop.Shipping.ship(dev.reflector.event.ResourceEvent) threw ");
		assertThat(informer().status().deliveryStopped()).isNull();
	}

	@Test
	void aRetryHoldsTheOrderAndCallsOnlyTheListenerThatFailed() {
		Shipping shipping = run(ShippingApplication.class, Shipping.class, "on-error=retry", "retry.delay=10ms",
				"retry.max-attempts=50");
		shipping.broken.add("bad");
		create(this.orders, "bad", 1);
		create(this.orders, "good", 1);
		await().until(() -> heard(shipping.heard, "ship bad").size() >= 2);
		assertThat(shipping.heard).noneMatch((line) -> line.contains("good"));
		shipping.broken.clear();
		await().until(() -> shipping.heard.contains("count good"));
		assertThat(heard(shipping.heard, "count bad")).hasSize(1);
		assertThat(shipping.unshipped).isEmpty();
	}

	@Test
	void anEventThatCannotBeDeliveredIsADeadLetter() {
		Shipping shipping = run(ShippingApplication.class, Shipping.class, "on-error=retry", "retry.delay=10ms");
		shipping.broken.add("bad");
		create(this.orders, "bad", 1);
		create(this.orders, "good", 1);
		await().until(() -> shipping.heard.contains("count good"));
		assertThat(shipping.unshipped).containsExactly("default/bad after 3: cannot ship bad");
		assertThat(heard(shipping.heard, "ship bad")).hasSize(3);
	}

	@Test
	void aStopOfTheApplicationEndsTheAttemptsAndTheEventComesAgain(CapturedOutput output) {
		create(this.orders, "bad", 1);
		Shipping shipping = run(ShippingApplication.class, Shipping.class, "on-error=retry", "retry.delay=1h",
				"retry.max-delay=1h");
		await().until(() -> shipping.heard.contains("count bad"));
		shipping.broken.add("bad");
		this.orders.delete("default", "bad");
		create(this.orders, "good", 1);
		await().until(() -> heard(shipping.heard, "count ").size() == 2 && informer().lister().size() == 1);
		this.context.stop();
		assertThat(output).contains("a listener failed on DELETED default/bad at resource version 3. Delivery ends, "
				+ "so there is no further attempt, and the change does not count as received: event listeners: ");
		assertThat(shipping.heard).doesNotContain("count good");
		shipping.broken.clear();
		this.context.start();
		await().until(() -> shipping.heard.contains("count good"));
		assertThat(shipping.heard).containsExactly("ship bad @ 2", "count bad", "ship bad @ 3", "count bad",
				"ship bad @ 3", "count bad", "ship good @ 4", "count good");
		assertThat(shipping.unshipped).isEmpty();
	}

	@Test
	void aStoppedDeliveryIsVisibleAndAResumeDeliversAgain(CapturedOutput output) {
		Shipping shipping = run(ShippingApplication.class, Shipping.class, "on-error=stop");
		shipping.broken.add("bad");
		create(this.orders, "bad", 1);
		await().until(() -> informer().status().deliveryStopped() != null);
		create(this.orders, "good", 1);
		await().until(() -> informer().lister().size() == 2);
		assertThat(shipping.heard).noneMatch((line) -> line.contains("good"));
		await().until(() -> informer().state() == ReflectorState.WATCHING);
		Health health = health("orders");
		assertThat(health.getStatus()).isEqualTo(Status.DOWN);
		assertThat(health.getDetails().get("deliveryStopped")).asString().contains("Shipping.ship(");
		await().untilAsserted(() -> assertThat(output)
			.contains("It receives nothing more until the reflector is resumed or started again: "
					+ "com.example.shop.Shipping.ship("));
		assertThat(health("invoices").getStatus()).isEqualTo(Status.UP);
		shipping.broken.clear();
		informer().resume();
		await().until(() -> shipping.heard.contains("count good"));
		assertThat(health("orders").getStatus()).isEqualTo(Status.UP);
		// existing objects are delivered in no particular order
		await().untilAsserted(() -> assertThat(heard(shipping.heard, "ship bad")).hasSize(2));
	}

	private Health health(String reflector) {
		HealthIndicator indicator = (HealthIndicator) this.context.getBean(CompositeHealthContributor.class)
			.getContributor(reflector);
		assertThat(indicator).isNotNull();
		return indicator.health();
	}

	@Test
	void severalThreadsKeepTheOrderOfEachObject() {
		for (int i = 0; i < 30; i++) {
			create(this.orders, "o" + i, i);
		}
		Shipping shipping = run(ShippingApplication.class, Shipping.class, "concurrency=3");
		for (int round = 0; round < 5; round++) {
			for (int i = 0; i < 30; i++) {
				this.orders.mergePatch("default", "o" + i, Map.of("price", 100 + round));
			}
		}
		await().until(() -> heard(shipping.heard, "ship ").size() == 30 * 6);
		for (int i = 0; i < 30; i++) {
			assertThat(heard(shipping.heard, "ship o" + i + " @ ").stream()
				.map((line) -> Integer.valueOf(line.substring(line.indexOf('@') + 2)))
				.toList()).hasSize(6).isSorted();
		}
		assertThat(shipping.threads).hasSize(3).allMatch((thread) -> thread.contains("reflector-orders-events-"));
		this.context.close();
		await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
			.noneMatch((name) -> name.startsWith("reflector-orders")));
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void severalThreadsAreVirtualWhenThoseOfTheApplicationAre() {
		System.setProperty("spring.threads.virtual.enabled", "true");
		try {
			Shipping virtual = run(ShippingApplication.class, Shipping.class, "concurrency=3");
			create(this.orders, "one", 1);
			await().until(() -> !virtual.threads.isEmpty());
			assertThat(virtual.threads)
				.allMatch((thread) -> thread.matches("VirtualThread\\[#\\d+,reflector-orders-events-\\d].*"));
		}
		finally {
			System.clearProperty("spring.threads.virtual.enabled");
		}
	}

	private static List<String> heard(Collection<String> lines, String prefix) {
		return lines.stream().filter((line) -> line.startsWith(prefix)).toList();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class ShippingApplication {

		@Bean
		Shipping shipping() {
			return new Shipping();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	@EnableAsync(proxyTargetClass = true)
	@EnableTransactionManagement(proxyTargetClass = true)
	static class BookkeepingApplication {

		@Bean
		Bookkeeping bookkeeping() {
			return new Bookkeeping();
		}

		@Bean
		Prices prices() {
			return new Prices();
		}

		@Bean
		PlatformTransactionManager transactions() {
			return new CountingTransactions();
		}

	}

	/** An application with an executor that rejects all tasks. */
	@Configuration(proxyBeanMethods = false)
	static class RejectingApplication extends BookkeepingApplication {

		@Bean
		Letters letters() {
			return new Letters();
		}

		@Bean
		static AsyncConfigurer rejecting() {
			return new AsyncConfigurer() {

				@Override
				public Executor getAsyncExecutor() {
					return (task) -> {
						throw new RejectedExecutionException("full");
					};
				}

			};
		}

	}

	static class Letters {

		private final List<ResourceDeadLetterEvent<Order>> letters = new CopyOnWriteArrayList<>();

		@EventListener
		void dead(ResourceDeadLetterEvent<Order> letter) {
			this.letters.add(letter);
		}

	}

	/** A transaction manager without resources. */
	static final class CountingTransactions extends AbstractPlatformTransactionManager {

		private final transient List<String> steps = new CopyOnWriteArrayList<>();

		@Override
		protected Object doGetTransaction() {
			return this.steps;
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
			this.steps.add("begin");
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.steps.add("commit");
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			this.steps.add("rollback");
		}

	}

}
