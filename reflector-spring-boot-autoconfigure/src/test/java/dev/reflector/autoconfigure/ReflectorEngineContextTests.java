package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.ReflectorThreads;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceEventStream;
import dev.reflector.event.ResourceUpdatedEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of the beans together with the engine, against a collection in memory.
 */
@ExtendWith(OutputCaptureExtension.class)
class ReflectorEngineContextTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private final ReflectorThreads threads = new ReflectorThreads();

	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(Widget.class)
		.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new)
		.withUserConfiguration(Application.class, Mirror.class);

	@Test
	void ownListerWatcherNeedsNoServer(CapturedOutput output) {
		this.runner.run((context) -> {
			awaitSynced(context);
			assertThat(context.getBean(Mirror.class).lister.list()).containsExactlyInAnyOrder(widget("a", "1", 1),
					widget("b", "2", 2));
			// published shortly after the sync
			Reflector<?> reflector = context.getBean(Reflector.class);
			await().atMost(PATIENCE).until(reflector::lastSyncResourceVersion, "10"::equals);
			assertThat(health(context)).isEqualTo(Status.UP);
		});
		assertThat(output).doesNotContain("no API server is configured");
	}

	@Test
	void publishesTypedEvents() {
		this.runner.run((context) -> {
			Application application = context.getBean(Application.class);
			await().atMost(PATIENCE).until(() -> application.events.contains("synced widgets"));
			awaitWatching(context);
			application.watcher().emit(new WatchEvent.Modified<>(widget("a", "11", 7)));
			await().atMost(PATIENCE).until(() -> application.events.contains("ResourceUpdatedEvent a 1 -> 7"));
			assertThat(context.getBean(Mirror.class).lister.get("default", "a")).isEqualTo(widget("a", "11", 7));
			application.watcher().emit(new WatchEvent.Deleted<>(widget("b", "12", 2)));
			await().atMost(PATIENCE).until(() -> application.events.contains("ResourceDeletedEvent b"));
			assertThat(application.events).containsExactly("ResourceAddedEvent a", "ResourceAddedEvent b",
					"synced widgets", "ResourceUpdatedEvent a", "ResourceUpdatedEvent a 1 -> 7",
					"ResourceDeletedEvent b");
			// a handler has its own thread
			await().atMost(PATIENCE).until(() -> application.handled.size() == 4);
			assertThat(application.handled).containsExactly(Change.Type.ADDED, Change.Type.ADDED, Change.Type.UPDATED,
					Change.Type.DELETED);
		});
	}

	@Test
	void indexFunctionBecomesIndexUnderItsBeanName() {
		this.runner.run((context) -> {
			awaitSynced(context);
			assertThat(context.getBean(Mirror.class).lister.byIndex("bySize", "2"))
				.containsExactly(widget("b", "2", 2));
		});
	}

	@Test
	void aStreamIsInjectedByTypeAndCompletesWithTheContext() {
		AtomicReference<CompletableFuture<List<String>>> heard = new AtomicReference<>();
		List<String> soFar = new CopyOnWriteArrayList<>();
		this.runner.withUserConfiguration(Streaming.class).run((context) -> {
			Application application = context.getBean(Application.class);
			awaitWatching(context);
			assertThat(this.threads.started()).noneMatch((name) -> name.endsWith("-stream"));
			heard.set(context.getBean(Streaming.class).stream.events()
				.map((event) -> event.getClass().getSimpleName() + " " + event.key().name() + " " + event.initialList()
						+ " " + event.reflectorName())
				.doOnNext(soFar::add)
				.collectList()
				.toFuture());
			application.watcher().emit(new WatchEvent.Deleted<>(widget("b", "12", 2)));
			Lister<Widget> lister = context.getBean(Mirror.class).lister;
			assertThat(lister.awaitResourceVersion("12", PATIENCE)).isTrue();
			assertThat(lister.size()).isOne();
			// the close of the context drops what a slow subscriber has not received
			await().atMost(PATIENCE).until(() -> soFar.contains("ResourceAddedEvent a true widgets"));
		});
		assertThat(heard.get()).succeedsWithin(PATIENCE)
			.asInstanceOf(InstanceOfAssertFactories.list(String.class))
			.contains("ResourceAddedEvent a true widgets");
	}

	@Test
	void metersFollowTheEngine() {
		this.runner.run((context) -> {
			awaitSynced(context);
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			await().atMost(PATIENCE)
				.until(() -> registry.get("reflector.listener.duration").tag("reflector", "widgets").timer().count() > 0
						&& registry.get("reflector.list.duration").tag("reflector", "widgets").timer().count() == 1);
			await().atMost(PATIENCE)
				.until(() -> registry.get("reflector.store.size").tag("reflector", "widgets").gauge().value() == 2);
		});
	}

	@Test
	void stopsAllThreadsWithTheContext() {
		this.runner.run((context) -> {
			awaitSynced(context);
			assertThat(this.threads.started()).isNotEmpty();
			context.close();
			await().atMost(PATIENCE).until(() -> this.threads.started().isEmpty());
		});
	}

	@Test
	void stopsAllThreadsWhenSomethingThatStartsLaterFails() {
		this.runner.withBean(SmartLifecycle.class, FailingLifecycle::new).run((context) -> {
			assertThat(context).hasFailed();
			await().atMost(PATIENCE).until(() -> this.threads.started().isEmpty());
		});
	}

	@Test
	void startsAgainAfterStop() {
		this.runner.run((context) -> {
			awaitSynced(context);
			ConfigurableApplicationContext source = context.getSourceApplicationContext();
			source.stop();
			assertThat(context.getBean(Reflector.class).state()).isEqualTo(ReflectorState.STOPPED);
			assertThat(health(context)).isEqualTo(Status.OUT_OF_SERVICE);
			source.start();
			awaitWatching(context);
			awaitSynced(context);
			assertThat(context.getBean(Mirror.class).lister.size()).isEqualTo(2);
		});
	}

	@Test
	void disabledReflectorDoesNotAskItsListerWatcher() {
		this.runner.withPropertyValues("reflector.resources.widgets.enabled=false").run((context) -> {
			assertThat(context.getBean(Reflector.class).state()).isEqualTo(ReflectorState.STOPPED);
			assertThat(context.getBean(Application.class).watcher().watches()).isZero();
		});
	}

	private static void awaitSynced(ConfigurableApplicationContext context) {
		await().atMost(PATIENCE).until(() -> context.getBean(Reflector.class).hasSynced());
	}

	private static void awaitWatching(ConfigurableApplicationContext context) {
		await().atMost(PATIENCE).until(() -> context.getBean(Application.class).watcher().watches() == 1);
	}

	private static Status health(ConfigurableApplicationContext context) {
		HealthIndicator indicator = (HealthIndicator) context.getBean(CompositeHealthContributor.class)
			.getContributor("widgets");
		assertThat(indicator).isNotNull();
		return indicator.health().getStatus();
	}

	private static Widget widget(String name, String resourceVersion, int size) {
		return new Widget(new ObjectMeta(name, "default", null, resourceVersion, 0, null, null, null, null, null, null),
				size);
	}

	@Configuration(proxyBeanMethods = false)
	static class Application {

		private final Queue<String> events = new ConcurrentLinkedQueue<>();

		private final List<Change.Type> handled = new CopyOnWriteArrayList<>();

		private final InMemoryListerWatcher<Widget> watcher = new InMemoryListerWatcher<>(
				List.of(widget("a", "1", 1), widget("b", "2", 2)));

		InMemoryListerWatcher<Widget> watcher() {
			return this.watcher;
		}

		@Bean
		ListerWatcher<Widget> widgets() {
			return this.watcher;
		}

		@Bean
		IndexFunction<Widget> bySize() {
			return (widget) -> List.of(Integer.toString(widget.size()));
		}

		@Bean
		ResourceEventHandler<Widget> handler(Lister<Widget> lister) {
			return (change) -> {
				assertThat(lister.size()).isPositive();
				this.handled.add(change.type());
			};
		}

		@EventListener
		@Order(1)
		void on(ResourceEvent<Widget> event) {
			this.events.add(event.getClass().getSimpleName() + " " + event.key().name());
		}

		@EventListener
		@Order(2)
		void onUpdate(ResourceUpdatedEvent<Widget> event) {
			this.events.add("ResourceUpdatedEvent " + event.key().name() + " " + event.previous().size() + " -> "
					+ event.resource().size());
		}

		@EventListener
		void onSynced(ReflectorSyncedEvent event) {
			this.events.add("synced " + event.reflectorName());
		}

	}

	static class Mirror {

		private final Lister<Widget> lister;

		Mirror(Lister<Widget> lister) {
			this.lister = lister;
		}

	}

	static class Streaming {

		private final ResourceEventStream<Widget> stream;

		Streaming(ResourceEventStream<Widget> stream) {
			this.stream = stream;
		}

	}

	static class FailingLifecycle implements SmartLifecycle {

		@Override
		public void start() {
			throw new IllegalStateException("port in use");
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

	}

}
