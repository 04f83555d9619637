package dev.reflector.autoconfigure.internal.diagnosis;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.fixture.MemorySnapshots;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SimpleApplicationEventMulticaster;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionPhase;
import org.springframework.transaction.event.TransactionalEventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link DurableListenersCheck}.
 */
@ExtendWith(OutputCaptureExtension.class)
class DurableListenersCheckTests {

	private static final String WARNING = "The mirror is durable";

	private ApplicationContextRunner durable(Class<?>... configurations) {
		return ReflectorContextRunners.withTypesNextTo(Widget.class)
			.withBean(MemorySnapshots.class)
			.withUserConfiguration(Source.class)
			.withUserConfiguration(configurations)
			.withPropertyValues("reflector.snapshot.enabled=true", "reflector.events.on-error=stop");
	}

	private static String early(Class<?> type, String method, String reason) {
		return "The listener " + type.getName() + "." + method + " returns before its work is done: " + reason;
	}

	private static int warnings(CapturedOutput output) {
		return output.getAll().split(WARNING, -1).length - 1;
	}

	@Test
	void asynchronousListenersOfDurableMirrorsAreNamed(CapturedOutput output) {
		durable(AsyncEnabled.class, Listeners.class, AsyncListeners.class, AsyncBean.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).contains(early(Listeners.class, "async", "it is @Async"))
				.contains(early(Listeners.class, "metaAnnotated", "it is @Async"))
				.contains(early(Listeners.class, "ofAllTypes", "it is @Async"))
				.contains(early(Listeners.class, "moreGeneral", "it is @Async"))
				.contains(early(Listeners.class, "withoutParameter", "it is @Async"))
				.contains(early(AsyncListeners.class, "added", "it is @Async"))
				.contains(early(AsyncBean.class, "onApplicationEvent", "it is @Async"))
				.contains("If the work fails later, or the application ends first, the change is not delivered again");
			assertThat(warnings(output)).isEqualTo(7);
		});
	}

	@Test
	void withoutAsyncSupportTheyAreOrdinaryListeners(CapturedOutput output) {
		durable(Listeners.class, AsyncListeners.class, AsyncBean.class)
			.run((context) -> assertThat(warnings(output)).isZero());
	}

	@ParameterizedTest
	@ValueSource(strings = { "reflector.snapshot.enabled=false", "reflector.resources.widgets.enabled=false" })
	void listenersOfTypesThatAreNotDurableAreNot(String setting, CapturedOutput output) {
		durable(AsyncEnabled.class, Listeners.class).withPropertyValues(setting).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(warnings(output)).isZero();
		});
	}

	@Test
	void reactiveListenersAreNamed(CapturedOutput output) {
		durable(ReactiveListeners.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output)
				.contains(early(ReactiveListeners.class, "mono", "it returns a Mono, which is not waited for"))
				.contains(early(ReactiveListeners.class, "future",
						"it returns a CompletableFuture, which is not waited for"));
			assertThat(warnings(output)).isEqualTo(2);
		});
	}

	@Test
	void listenersThatAnExecutorCallsAreNamed(CapturedOutput output) {
		durable(ExecutorOfEvents.class, Listeners.class, AsyncBean.class, LambdaBean.class,
				TransactionalListeners.class)
			.run((context) -> {
				assertThat(context).hasNotFailed();
				String reason = "the ApplicationEventMulticaster calls it with an executor";
				assertThat(output).contains(early(Listeners.class, "ordinary", reason))
					.contains(early(Listeners.class, "async", reason))
					.contains(early(AsyncBean.class, "onApplicationEvent", reason))
					.contains("The listener 'ofLambda' returns before its work is done: " + reason)
					.doesNotContain(".synced ")
					.doesNotContain(".atOnce ");
			});
	}

	@Test
	void listenersAndHandlersInAChildContextAreNamed(CapturedOutput output) {
		String child = ".ordinary is in a child context, and the durable mirror in a parent";
		durable(Listeners.class, Handlers.class).run((parent) -> {
			assertThat(output).doesNotContain("is in a child context");
			ReflectorContextRunners.withTypesNextTo(Widget.class)
				.withParent(parent)
				.withUserConfiguration(Listeners.class, LambdaBean.class, Handlers.class)
				.withPropertyValues("reflector.snapshot.enabled=true", "reflector.events.on-error=stop")
				.run((context) -> {
					assertThat(context).hasNotFailed();
					assertThat(output).contains(child).doesNotContain(".synced is in").doesNotContain(".atOnce is in");
					assertThat(output).contains("The listener 'ofLambda' is in a child context");
					assertThat(output).containsOnlyOnce("The handler 'ofWidgets' is in a child context")
						.doesNotContain("'ofGadgets'");
				});
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class Source {

		@Bean
		ListerWatcher<Widget> source() {
			return new InMemoryListerWatcher<>(List.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableAsync
	static class AsyncEnabled {

	}

	@Retention(RetentionPolicy.RUNTIME)
	@Async
	@interface Elsewhere {

	}

	record Gadget() {

	}

	static class Listeners {

		@EventListener
		void ordinary(ResourceEvent<Widget> event) {
		}

		@Async
		@EventListener
		void async(ResourceDeletedEvent<Widget> event) {
		}

		@Elsewhere
		@EventListener
		void metaAnnotated(ResourceAddedEvent<Widget> event) {
		}

		@Async
		@EventListener
		void ofAllTypes(ResourceEvent<?> event) {
		}

		@Async
		@EventListener
		void moreGeneral(ApplicationEvent event) {
		}

		@Async
		@EventListener(ResourceAddedEvent.class)
		void withoutParameter() {
		}

		@Async
		@EventListener
		void synced(ReflectorSyncedEvent event) {
		}

		@Async
		@EventListener
		void ofAnotherType(ResourceEvent<Gadget> event) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Handlers {

		@Bean
		ResourceEventHandler<Widget> ofWidgets() {
			return (change) -> {
			};
		}

		@Bean
		ResourceEventHandler<Gadget> ofGadgets() {
			return (change) -> {
			};
		}

	}

	@Async
	static class AsyncListeners {

		@EventListener
		void added(ResourceAddedEvent<Widget> event) {
		}

	}

	static class AsyncBean implements ApplicationListener<ResourceEvent<Widget>> {

		@Async
		@Override
		public void onApplicationEvent(ResourceEvent<Widget> event) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class LambdaBean {

		@Bean
		ApplicationListener<ResourceEvent<Widget>> ofLambda() {
			return (event) -> {
			};
		}

	}

	static class ReactiveListeners {

		@EventListener
		Mono<Void> mono(ResourceAddedEvent<Widget> event) {
			return Mono.empty();
		}

		@EventListener
		CompletableFuture<Void> future(ResourceAddedEvent<Widget> event) {
			return CompletableFuture.completedFuture(null);
		}

		@EventListener
		Object answer(ResourceAddedEvent<Widget> event) {
			return "an event of the application";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class TransactionalListeners {

		@TransactionalEventListener
		void afterCommit(ResourceAddedEvent<Widget> event) {
		}

		@TransactionalEventListener(phase = TransactionPhase.BEFORE_COMMIT)
		void beforeCommit(ResourceAddedEvent<Widget> event) {
		}

		@TransactionalEventListener(fallbackExecution = true)
		void atOnce(ResourceAddedEvent<Widget> event) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ExecutorOfEvents {

		@Bean
		SimpleApplicationEventMulticaster applicationEventMulticaster() {
			SimpleApplicationEventMulticaster multicaster = new SimpleApplicationEventMulticaster();
			multicaster.setTaskExecutor(Runnable::run);
			return multicaster;
		}

	}

}
