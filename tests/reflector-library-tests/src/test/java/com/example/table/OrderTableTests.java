package com.example.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeadLetterEvent;
import dev.reflector.test.EmbeddedApiServer;
import dev.reflector.test.ResourceCollection;
import jakarta.persistence.EntityManager;
import jakarta.persistence.TransactionRequiredException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The code of {@code docs/recipes.md} about JPA, with Hibernate.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OrderTableTests {

	private final EmbeddedApiServer server = EmbeddedApiServer.builder()
		.type("example.com/v1", "Order", "orders", true)
		.start();

	private final ResourceCollection orders = this.server.resources("orders");

	private final String url = "jdbc:h2:mem:" + System.nanoTime() + ";DB_CLOSE_DELAY=-1";

	private final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	@AfterEach
	void close() {
		this.contexts.forEach(ConfigurableApplicationContext::close);
		this.server.close();
	}

	private ConfigurableApplicationContext run(Class<?> listener, String... arguments) {
		List<String> all = new ArrayList<>(List.of("--spring.datasource.url=" + this.url,
				"--spring.jpa.hibernate.ddl-auto=update", "--reflector.api-server.url=" + this.server.url(),
				"--spring.reactor.netty.shutdown-quiet-period=0s"));
		all.addAll(List.of(arguments));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class, listener)
			.web(WebApplicationType.NONE)
			.run(all.toArray(String[]::new));
		this.contexts.add(context);
		return context;
	}

	private void create(String name, int price) {
		this.orders.create(Map.of("metadata", Map.of("name", name), "price", price));
	}

	private static Map<String, Integer> table(ConfigurableApplicationContext context) {
		Map<String, Integer> rows = new TreeMap<>();
		context.getBean(JdbcTemplate.class).query("select id, price from order_row", (row) -> {
			rows.put(row.getString("id"), row.getInt("price"));
		});
		return rows;
	}

	@Test
	void theTableFollowsTheMirrorAlsoWhenEverythingComesAgain() {
		create("a", 1);
		create("b", 2);
		create("c", 3);
		ConfigurableApplicationContext first = run(OrderTable.class);
		await().untilAsserted(
				() -> assertThat(table(first)).isEqualTo(Map.of("default/a", 1, "default/b", 2, "default/c", 3)));
		this.orders.mergePatch("default", "a", Map.of("price", 10));
		this.orders.delete("default", "b");
		await().untilAsserted(() -> assertThat(table(first)).isEqualTo(Map.of("default/a", 10, "default/c", 3)));
		first.close();
		this.orders.delete("default", "c");
		this.orders.mergePatch("default", "a", Map.of("price", 11));
		ConfigurableApplicationContext second = run(OrderTable.class);
		// the deletion of c was never delivered
		await().untilAsserted(() -> assertThat(table(second)).isEqualTo(Map.of("default/a", 11, "default/c", 3)));
	}

	@Test
	void whatAFailedCallHasWrittenIsRolledBackBeforeItIsCalledAgain() {
		create("a", 1);
		ConfigurableApplicationContext context = run(FailingTwice.class, "--reflector.events.on-error=retry",
				"--reflector.events.retry.delay=1ms");
		FailingTwice listener = AopTestUtils.getTargetObject(context.getBean(FailingTwice.class));
		await().untilAsserted(() -> assertThat(table(context)).isEqualTo(Map.of("default/a", 3)));
		assertThat(listener.rowsBefore).containsExactly(0L, 0L, 0L);
	}

	@Test
	void aCommitThatFailsIsAFailureOfTheListener() {
		ConfigurableApplicationContext context = run(FailingCommit.class, "--reflector.events.on-error=retry",
				"--reflector.events.retry.delay=1ms");
		context.getBean(JdbcTemplate.class).update("insert into order_row (id, price) values ('taken', 0)");
		create("a", 1);
		await().untilAsserted(() -> assertThat(table(context)).isEqualTo(Map.of("default/a", 2, "taken", 0)));
		FailingCommit listener = AopTestUtils.getTargetObject(context.getBean(FailingCommit.class));
		assertThat(listener.calls).hasValue(2);
	}

	@Test
	void anEventOfTheTransactionIsHeardAfterItsCommit() {
		create("a", 1);
		ConfigurableApplicationContext context = run(Receipts.class);
		Receipts receipts = context.getBean(Receipts.class);
		await().untilAsserted(() -> assertThat(receipts.sent()).containsExactly("default/a"));
		assertThat(table(context)).isEqualTo(Map.of("default/a", 1));
	}

	@Test
	void withoutATransactionNothingCanBeWritten() {
		create("a", 1);
		ConfigurableApplicationContext context = run(WithoutTransaction.class);
		WithoutTransaction listener = context.getBean(WithoutTransaction.class);
		await().until(() -> !listener.letters.isEmpty());
		assertThat(listener.letters.get(0).failure()).isInstanceOf(TransactionRequiredException.class);
		assertThat(listener.active).containsExactly(false);
		assertThat(table(context)).isEmpty();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@AutoConfigurationPackage
	static class Application {

	}

	static class FailingTwice {

		private final EntityManager entities;

		private final List<Long> rowsBefore = new CopyOnWriteArrayList<>();

		private final AtomicInteger calls = new AtomicInteger();

		FailingTwice(EntityManager entities) {
			this.entities = entities;
		}

		@Transactional
		@EventListener
		public void on(ResourceAddedEvent<Order> event) {
			this.rowsBefore
				.add(this.entities.createQuery("select count(row) from OrderRow row", Long.class).getSingleResult());
			int call = this.calls.incrementAndGet();
			this.entities.persist(new OrderRow(event.key().toString(), call));
			this.entities.flush();
			if (call < 3) {
				throw new IllegalStateException("out of order");
			}
		}

	}

	static class FailingCommit {

		private final EntityManager entities;

		private final AtomicInteger calls = new AtomicInteger();

		FailingCommit(EntityManager entities) {
			this.entities = entities;
		}

		@Transactional
		@EventListener
		public void on(ResourceAddedEvent<Order> event) {
			int call = this.calls.incrementAndGet();
			this.entities.persist(new OrderRow(event.key().toString(), call));
			if (call == 1) {
				// is written with the commit, and is there already
				this.entities.persist(new OrderRow("taken", call));
			}
		}

	}

	static class WithoutTransaction {

		private final EntityManager entities;

		private final List<Boolean> active = new CopyOnWriteArrayList<>();

		private final List<ResourceDeadLetterEvent<Order>> letters = new CopyOnWriteArrayList<>();

		WithoutTransaction(EntityManager entities) {
			this.entities = entities;
		}

		@EventListener
		void on(ResourceAddedEvent<Order> event) {
			this.active.add(TransactionSynchronizationManager.isActualTransactionActive());
			this.entities.persist(new OrderRow(event.key().toString(), event.resource().price()));
		}

		@EventListener
		void giveUp(ResourceDeadLetterEvent<Order> letter) {
			this.letters.add(letter);
		}

	}

}
