package dev.reflector.integration;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeadLetterEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.AnnotatedBeanDefinitionReader;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.annotation.Order;
import org.springframework.test.util.AopTestUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Listeners that wait for the end of a transaction, together with others that fail.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TransactionalListenersIntegrationTests extends WidgetServer {

	private MirrorApplication start(Class<?> listeners) {
		return MirrorApplication.start(
				(context) -> new AnnotatedBeanDefinitionReader((GenericApplicationContext) context)
					.register(Transactions.class, listeners),
				"reflector.api-server.url=" + this.server.url(), "reflector.events.on-error=retry",
				"reflector.events.retry.delay=1ms", "reflector.events.retry.max-attempts=4");
	}

	@Test
	void aListenerThatHasSucceededWithoutATransactionIsNotCalledAgain() {
		create("a");
		try (MirrorApplication application = start(WithoutTransaction.class)) {
			WithoutTransaction listeners = application.context.getBean(WithoutTransaction.class);
			await().until(() -> listeners.attempts.get() == 4);
			create("b");
			await().until(() -> listeners.attempts.get() == 8);
			application.awaitEqualTo(this.widgets);
			assertThat(listeners.heard).containsExactly("a", "b");
		}
	}

	@Test
	void aListenerThatFailsIsCalledAgain() {
		create("a");
		try (MirrorApplication application = start(FailingOnce.class)) {
			FailingOnce listeners = application.context.getBean(FailingOnce.class);
			await().until(() -> listeners.calls.get() == 2);
			await().until(() -> application.reflector.status().counts().errors() == 1);
		}
	}

	/** Spring logs it: the listener whose transaction was committed has done its work. */
	@Test
	void aFailureAfterTheCommitIsNoFailureOfTheListener() {
		create("a");
		try (MirrorApplication application = start(AfterCommit.class)) {
			AfterCommit listeners = AopTestUtils.getTargetObject(application.context.getBean(AfterCommit.class));
			await().until(() -> listeners.after.get() == 1);
			create("b");
			await().until(() -> listeners.after.get() == 2);
			assertThat(listeners.stored).containsExactly("a", "b");
			assertThat(listeners.deadLetters).isEmpty();
			assertThat(application.reflector.status().counts().errors()).isZero();
		}
	}

	static class WithoutTransaction {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		private final AtomicInteger attempts = new AtomicInteger();

		@Order(1)
		@TransactionalEventListener(fallbackExecution = true)
		void on(ResourceAddedEvent<Widget> event) {
			this.heard.add(event.key().name());
		}

		@Order(2)
		@EventListener
		void fail(ResourceAddedEvent<Widget> event) {
			this.attempts.incrementAndGet();
			throw new IllegalStateException("out of order");
		}

	}

	static class FailingOnce {

		private final AtomicInteger calls = new AtomicInteger();

		@TransactionalEventListener(fallbackExecution = true)
		void on(ResourceAddedEvent<Widget> event) {
			if (this.calls.incrementAndGet() == 1) {
				throw new IllegalStateException("out of order");
			}
		}

	}

	static class AfterCommit {

		private final List<String> stored = new CopyOnWriteArrayList<>();

		private final AtomicInteger after = new AtomicInteger();

		private final List<Object> deadLetters = new CopyOnWriteArrayList<>();

		private final ApplicationEventPublisher publisher;

		AfterCommit(ApplicationEventPublisher publisher) {
			this.publisher = publisher;
		}

		@Transactional
		@EventListener
		public void store(ResourceAddedEvent<Widget> event) {
			this.stored.add(event.key().name());
			this.publisher.publishEvent(new Stored(event.key().name()));
		}

		@TransactionalEventListener
		void after(Stored event) {
			this.after.incrementAndGet();
			throw new IllegalStateException("out of order");
		}

		@EventListener
		void giveUp(ResourceDeadLetterEvent<Widget> letter) {
			this.deadLetters.add(letter);
		}

	}

	record Stored(String name) {

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement(proxyTargetClass = true)
	static class Transactions {

		@Bean
		PlatformTransactionManager transactionManager() {
			return new NoTransactions();
		}

	}

	/** A transaction manager without resources. */
	static class NoTransactions extends AbstractPlatformTransactionManager {

		@Override
		protected Object doGetTransaction() {
			return new Object();
		}

		@Override
		protected void doBegin(Object transaction, TransactionDefinition definition) {
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
		}

	}

}
