package dev.reflector.autoconfigure;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import dev.reflector.GenericResource;
import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.actuate.metrics.ReflectorMetrics;
import dev.reflector.autoconfigure.connection.ReflectorConnectionDetails;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.empty.Nothing;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.hierarchy.InheritedReflectors;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.config.IndexFunction;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeadLetterEvent;
import dev.reflector.event.ResourceEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

/**
 * Tests of contexts with parents.
 */
class ContextHierarchyTests {

	private static final String[] GENERIC = { "reflector.resources.gadgets.api-version=v1",
			"reflector.resources.gadgets.kind=Gadget", "management.endpoints.jmx.exposure.include=reflectors",
			"spring.jmx.enabled=true" };

	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(Widget.class)
		.withPropertyValues(GENERIC);

	@Test
	void whatAParentMirrorsIsNeitherMadeNorStartedAgain() {
		this.runner.withUserConfiguration(Sources.class).run((parent) -> {
			Sources sources = parent.getBean(Sources.class);
			await().until(() -> sources.widgets.watches() == 1 && sources.gadgets.watches() == 1);
			child(parent).run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBeanFactory().getBeanNamesForType(Reflector.class)).isEmpty();
				assertThat(child.getBean(ReflectorLifecycle.class).started()).isEmpty();
				assertThat(child.getBean(Injection.class).widgets).isSameAs(parent.getBean("widgetLister"));
				assertThat(child.getBean(Injection.class).gadgets).isSameAs(parent.getBean("gadgetsLister"));
				assertThat(child.getBean(ReflectorsEndpoint.class).reflectors().reflectors())
					.containsOnlyKeys("gadgets", "widgets");
			});
			SharedInformer<?> reflector = parent.getBean("widgetReflector", SharedInformer.class);
			await().untilAsserted(() -> {
				assertThat(reflector.hasSynced()).isTrue();
				assertThat(reflector.status().counts().lists()).isEqualTo(1);
			});
			assertThat(sources.widgets.watches()).as("the parent goes on").isEqualTo(1);
		});
	}

	@Test
	void aChildMayHaveAServerOfItsOwn() {
		parent().run((parent) -> {
			assertThat(parent.getBean(ReflectorConnectionDetails.class).getApiServer()).isNull();
			child(parent).withPropertyValues("reflector.api-server.url=https://127.0.0.1:1").run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBean(ReflectorConnectionDetails.class).getApiServer().url())
					.hasToString("https://127.0.0.1:1");
				assertThat(child.getBean(ApiServerConnection.class).client()).isPresent();
			});
		});
	}

	@Test
	void aChildUsesTheServerThatItsParentHasABeanFor() {
		ReflectorConnectionDetails details = () -> null;
		parent().withBean("own", ReflectorConnectionDetails.class, () -> details)
			.run((parent) -> child(parent).withPropertyValues("reflector.api-server.url=https://127.0.0.1:1")
				.run((child) -> assertThat(child.getBean(ReflectorConnectionDetails.class)).isSameAs(details)));
	}

	@Test
	void aChildUsesTheSourcesThatItsParentHasForWhatOnlyTheChildMirrors() {
		ReflectorContextRunners.withTypesNextTo(Nothing.class)
			.withUserConfiguration(Sources.class, Shared.class)
			.run((parent) -> {
				Sources sources = parent.getBean(Sources.class);
				child(parent).run((child) -> {
					assertThat(child).hasNotFailed();
					await().until(() -> sources.widgets.watches() == 1 && sources.gadgets.watches() == 1);
					await().untilAsserted(() -> assertThat(parent.getBean(Shared.class).handled).containsExactly("a"));
					assertThat(child.getBean(Injection.class).widgets.byIndex("byName", "a")).hasSize(1);
					assertThat(child.getBean(RbacManifest.class).yaml()).doesNotContain("widgets");
				});
			});
	}

	@Test
	void aSourceOfTheChildComesBeforeThatOfItsParent() {
		ReflectorContextRunners.withTypesNextTo(Nothing.class).withUserConfiguration(Sources.class).run((parent) -> {
			Sources sources = parent.getBean(Sources.class);
			child(parent).withUserConfiguration(OwnSource.class).run((child) -> {
				assertThat(child).hasNotFailed();
				await().until(() -> child.getBean(OwnSource.class).source.watches() == 1);
				assertThat(sources.widgets.watches()).isZero();
			});
		});
	}

	@Test
	void permissionsOfAChildAreForWhatItMirrors() {
		ReflectorContextRunners.withTypesNextTo(Nothing.class).run((parent) -> {
			assertThat(parent.getBean(RbacManifest.class).yaml()).contains("nothing is mirrored");
			child(parent).run((child) -> assertThat(child.getBean(RbacManifest.class).yaml()).contains("widgets"));
		});
	}

	@ParameterizedTest
	@CsvSource({ "own, true", "reflectorRbacManifest, false" })
	void permissionsOfAParentUnderAnotherNameStandBesideThoseOfAChild(String name, boolean two) {
		RbacManifest own = new RbacManifest(mock(), "fleet");
		parent().withBean(name, RbacManifest.class, () -> own)
			.run((parent) -> child(parent).withUserConfiguration(Permissions.class).run((child) -> {
				if (two) {
					assertThat(child).hasFailed()
						.getFailure()
						.hasRootCauseInstanceOf(NoUniqueBeanDefinitionException.class);
				}
				else {
					assertThat(child.getBean(Permissions.class).manifest).isNotSameAs(own);
				}
			}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "reflectorConnectionDetails", "own" })
	void aChildMayHaveABeanForItsServer(String name) {
		ReflectorConnectionDetails details = () -> null;
		parent().run((parent) -> child(parent).withPropertyValues("management.info.reflectors.enabled=true")
			.withBean(name, ReflectorConnectionDetails.class, () -> details)
			.run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBean(ReflectorConnectionDetails.class)).isSameAs(details);
				assertThat(child.getBean(ApiServerConnection.class).client()).isEmpty();
			}));
	}

	@Test
	void listenersOfAChildHearWhatItsParentMirrorsOnceEach() {
		this.runner.withUserConfiguration(Sources.class, Listeners.class).run((parent) -> {
			Sources sources = parent.getBean(Sources.class);
			Listeners above = parent.getBean(Listeners.class);
			await().until(() -> above.heard.size() == 3);
			child(parent).withUserConfiguration(Listeners.class, Handler.class).run((child) -> {
				Listeners below = child.getBean(Listeners.class);
				Handler handler = child.getBean(Handler.class);
				await().untilAsserted(() -> assertThat(below.heard).containsExactlyInAnyOrder("ADDED a initially",
						"synced gadgets", "synced widgets"));
				await().until(() -> sources.widgets.watches() == 1);
				sources.widgets.emit(new WatchEvent.Added<>(widget("b", "11")));
				sources.widgets.emit(new WatchEvent.Added<>(widget("c", "12")));
				await().until(() -> above.heard.contains("ADDED c") && below.heard.contains("ADDED c"));
				assertThat(above.heard).doesNotHaveDuplicates();
				assertThat(below.heard).doesNotHaveDuplicates().contains("ADDED b");
				await().untilAsserted(() -> assertThat(handler.handled).containsExactly("a", "b", "c"));
				child.getBean(InheritedReflectors.class).stop();
				sources.widgets.emit(new WatchEvent.Added<>(widget("d", "13")));
				await().until(() -> above.heard.contains("ADDED d"));
				assertThat(below.heard).doesNotContain("ADDED d");
				assertThat(handler.handled).doesNotContain("d");
				child.getBean(InheritedReflectors.class).start();
				await().until(() -> below.heard.contains("ADDED d initially") && handler.handled.contains("d"));
			});
			sources.widgets.emit(new WatchEvent.Added<>(widget("e", "14")));
			await().until(() -> above.heard.contains("ADDED e"));
			assertThat(above.heard).doesNotHaveDuplicates();
		});
	}

	@Test
	void aRegistrationOfAParentDoesNotStandForTheTypeItself() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ReflectorAutoConfiguration.class))
			.withUserConfiguration(Registration.class)
			.run((parent) -> child(parent).withUserConfiguration(Sources.class).run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBean(Injection.class).widgets).isSameAs(child.getBean("widgetLister"))
					.isNotSameAs(parent.getBean("eastern-widgetsLister"));
				assertThat(child.getBean("widgetReflector", Reflector.class).name()).isEqualTo("widgets");
			}));
	}

	@Test
	void listenersOfAParentHearWhatAChildMirrorsOnceEach() {
		new ApplicationContextRunner().withUserConfiguration(Listeners.class)
			.run((parent) -> this.runner.withParent(parent).withUserConfiguration(Sources.class).run((child) -> {
				Listeners above = parent.getBean(Listeners.class);
				Sources sources = child.getBean(Sources.class);
				await().until(() -> above.heard.size() == 3 && sources.widgets.watches() == 1);
				sources.widgets.emit(new WatchEvent.Added<>(widget("b", "11")));
				await().until(() -> above.heard.contains("ADDED b"));
				assertThat(above.heard).doesNotHaveDuplicates();
			}));
	}

	@Test
	void whatBothMirrorIsSeenFromTheChildAndHealthAndMetersOfAllFromTheParent() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		parent().withUserConfiguration(Sources.class).withBean(MeterRegistry.class, () -> meters).run((parent) -> {
			parent.getBean(ReflectorMetrics.class).bindTo(meters);
			CompositeHealthContributor health = parent.getBean(CompositeHealthContributor.class);
			child(parent).run((child) -> {
				assertThat(child).hasNotFailed();
				assertThat(child.getBeanFactory().getBeanNamesForType(Reflector.class))
					.containsExactly("gadgetsReflector");
				assertThat(reported(child)).containsOnlyKeys("gadgets", "widgets");
				assertThat(reported(parent)).containsOnlyKeys("widgets");
				assertThat(names(child.getBean("reflectorsHealthContributor", CompositeHealthContributor.class)))
					.containsExactly("gadgets", "widgets");
				assertThat(names(health)).containsExactly("gadgets", "widgets");
				assertThat(measured(meters)).containsExactly("gadgets", "widgets");
			});
			assertThat(names(health)).containsExactly("widgets");
			assertThat(measured(meters)).containsExactly("widgets");
		});
	}

	@Test
	void ofAReflectorThatIsNotToRunTheChildSaysTheSameAsTheParent() {
		parent().run((parent) -> child(parent).run((child) -> {
			CompositeHealthContributor health = child.getBean("reflectorsHealthContributor",
					CompositeHealthContributor.class);
			assertThat(
					health.stream().map((entry) -> ((HealthIndicator) entry.contributor()).health(false).getStatus()))
				.hasSize(2)
				.containsOnly(Status.UNKNOWN);
		}));
	}

	@Test
	void settingsOfWhatAParentMirrorsMakeNoSecondReflector() {
		String[] settings = { "reflector.resources.WID-GETS.api-version=v2", "reflector.resources.WID-GETS.kind=Gadget",
				"reflector.resources.easternwidgets.api-version=v2", "reflector.resources.easternwidgets.kind=Gadget" };
		parent().withUserConfiguration(Registration.class)
			.withPropertyValues(settings)
			.run((parent) -> ReflectorContextRunners.withTypesNextTo(Nothing.class)
				.withPropertyValues(settings)
				.withParent(parent)
				.run((child) -> {
					assertThat(child).hasNotFailed();
					assertThat(parent.getBeansOfType(Reflector.class)).hasSize(2);
					assertThat(child.getBeanFactory().getBeanNamesForType(Reflector.class)).isEmpty();
				}));
	}

	@Test
	void reflectorOfAChildWithTheNameOfOneOfItsParent() {
		parent().withUserConfiguration(Registration.class)
			.run((parent) -> ReflectorContextRunners.withTypesNextTo(Nothing.class)
				.withUserConfiguration(Registration.class)
				.withParent(parent)
				.run((child) -> assertThat(child).getFailure()
					.isInstanceOf(ReflectorConfigurationException.class)
					.hasStackTraceContaining(
							"The reflectors of the registration 'eastern' and the registration 'eastern' "
									+ "in a parent context have the same name 'eastern-widgets'.")));
	}

	@Test
	void listenersOfAChildHearWhatWaitsForThemWhenItStops() {
		parent().withUserConfiguration(Sources.class).run((parent) -> {
			Sources sources = parent.getBean(Sources.class);
			await().until(() -> sources.widgets.watches() == 1);
			child(parent).withUserConfiguration(Slow.class).run((child) -> {
				Slow slow = child.getBean(Slow.class);
				sources.widgets.emit(new WatchEvent.Added<>(widget("b", "11")));
				sources.widgets.emit(new WatchEvent.Added<>(widget("c", "12")));
				SharedInformer<?> reflector = parent.getBean("widgetReflector", SharedInformer.class);
				awaitQueued(sources, reflector, "c", "13");
				await().until(() -> reflector.status().queueDepth() == 2 && slow.called.getCount() == 0);
				CountDownLatch stopped = new CountDownLatch(1);
				child.getBean(InheritedReflectors.class).stop(stopped::countDown);
				slow.goOn.countDown();
				assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
				assertThat(slow.heard).containsExactly("a", "b", "c");
			});
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "retry", "retry-then-stop" })
	void whatAListenerOfAChildCannotHandleWhenItStopsIsADeadLetter(String onError) {
		parent().withUserConfiguration(Sources.class, Letters.class).run((parent) -> {
			Sources sources = parent.getBean(Sources.class);
			await().until(() -> sources.widgets.watches() == 1);
			child(parent).withUserConfiguration(Failing.class)
				.withPropertyValues("reflector.events.on-error=" + onError, "reflector.events.retry.delay=1h",
						"reflector.events.retry.max-delay=1h")
				.run((child) -> {
					Failing failing = child.getBean(Failing.class);
					sources.widgets.emit(new WatchEvent.Added<>(widget("b", "11")));
					SharedInformer<?> reflector = parent.getBean("widgetReflector", SharedInformer.class);
					awaitQueued(sources, reflector, "b", "12");
					await().until(() -> reflector.status().queueDepth() == 2 && !failing.heard.isEmpty());
					child.getBean(InheritedReflectors.class).stop();
					assertThat(failing.heard).startsWith("a", "dead a");
					assertThat(parent.getBean(Letters.class).heard).as("in the parent").containsExactly("a");
					assertThat(failing.heard.contains("b")).isEqualTo(onError.equals("retry"));
				});
		});
	}

	@Test
	void listenersOfAChildAreObservedAndMeasured() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler((context) -> true);
		parent().withUserConfiguration(Sources.class)
			.withBean(MeterRegistry.class, () -> meters)
			.withBean(ObservationRegistry.class, () -> observations)
			.run((parent) -> {
				parent.getBean(ReflectorMetrics.class).bindTo(meters);
				Sources sources = parent.getBean(Sources.class);
				child(parent).withBean(Traced.class, () -> new Traced(observations)).run((child) -> {
					Traced traced = child.getBean(Traced.class);
					await().until(() -> sources.widgets.watches() == 1 && traced.heard.size() == 1);
					sources.widgets.emit(new WatchEvent.Added<>(widget("b", "11", Instant.now())));
					await().until(() -> traced.heard.size() == 2);
					assertThat(traced.heard).containsExactly("a", "b in reflector.delivery");
					// to the listeners of both contexts
					await().until(() -> meters.get("reflector.delivery.latency")
						.tags("reflector", "widgets", "from", "server")
						.timer()
						.count() == 2);
				});
			});
	}

	/**
	 * Waits until the queues of the listeners contain an added widget. The mirror shows
	 * it a little earlier, and reaches a later version only after that.
	 */
	private static void awaitQueued(Sources sources, SharedInformer<?> reflector, String name, String later) {
		await().until(() -> reflector.lister().get("default", name) != null);
		sources.widgets.emit(new WatchEvent.Bookmark<>(later, false));
		await().until(() -> reflector.lister().hasReached(later));
	}

	private static Set<String> names(CompositeHealthContributor health) {
		return health.stream().map(HealthContributors.Entry::name).collect(Collectors.toCollection(TreeSet::new));
	}

	private static Map<String, ?> reported(AssertableApplicationContext context) {
		return context.getBean("reflectorsEndpoint", ReflectorsEndpoint.class).reflectors().reflectors();
	}

	private static Set<String> measured(MeterRegistry meters) {
		return meters.getMeters()
			.stream()
			.map((meter) -> String.valueOf(meter.getId().getTag("reflector")))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	/** Listens to widgets only. */
	private static ApplicationContextRunner parent() {
		return ReflectorContextRunners.withTypesNextTo(Widget.class)
			.withPropertyValues("management.endpoints.jmx.exposure.include=reflectors", "spring.jmx.enabled=true");
	}

	private ApplicationContextRunner child(AssertableApplicationContext parent) {
		return this.runner.withParent(parent).withBean(Injection.class);
	}

	private static Widget widget(String name, String version) {
		return widget(name, version, Instant.EPOCH);
	}

	private static Widget widget(String name, String version, Instant created) {
		return new Widget(new ObjectMeta(name, "default", null, version, 0, null, null, created, null, null, null), 1);
	}

	@Configuration(proxyBeanMethods = false)
	static class Sources {

		private final InMemoryListerWatcher<Widget> widgets = new InMemoryListerWatcher<>(List.of(widget("a", "1")));

		private final InMemoryListerWatcher<GenericResource> gadgets = new InMemoryListerWatcher<>(List.of());

		@Bean
		ListerWatcher<Widget> widgets() {
			return this.widgets;
		}

		@Bean
		ListerWatcher<GenericResource> gadgets() {
			return this.gadgets;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Registration {

		@Bean
		static ReflectedResourceRegistration<Widget> eastern() {
			return ReflectedResourceRegistration.of(Widget.class, "example.com/v1").withName("eastern-widgets");
		}

		@Bean
		@Qualifier("eastern-widgets")
		ListerWatcher<Widget> easternWidgets() {
			return new InMemoryListerWatcher<>(List.of());
		}

	}

	record Injection(Lister<Widget> widgets, @Qualifier("gadgets") Lister<GenericResource> gadgets) {

	}

	static class Slow {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		private final CountDownLatch called = new CountDownLatch(1);

		private final CountDownLatch goOn = new CountDownLatch(1);

		@EventListener
		void on(ResourceEvent<Widget> event) throws InterruptedException {
			if (event.key().name().equals("b")) {
				this.called.countDown();
				this.goOn.await(30, TimeUnit.SECONDS);
			}
			this.heard.add(event.key().name());
		}

	}

	static class Failing {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void on(ResourceEvent<Widget> event) {
			this.heard.add(event.key().name());
			if (event.key().name().equals("a")) {
				throw new IllegalStateException("cannot handle a");
			}
		}

		@EventListener
		void dead(ResourceDeadLetterEvent<Widget> letter) {
			this.heard.add("dead " + letter.event().key().name());
		}

	}

	static class Letters {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void dead(ResourceDeadLetterEvent<Widget> letter) {
			this.heard.add(letter.event().key().name());
		}

	}

	static class Traced {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		private final ObservationRegistry observations;

		Traced(ObservationRegistry observations) {
			this.observations = observations;
		}

		@EventListener
		void on(ResourceEvent<Widget> event) {
			Observation observation = this.observations.getCurrentObservation();
			this.heard
				.add(event.key().name() + ((observation != null) ? " in " + observation.getContext().getName() : ""));
		}

	}

	static class Listeners {

		private final List<String> heard = new CopyOnWriteArrayList<>();

		@EventListener
		void on(ResourceEvent<Widget> event) {
			boolean added = event instanceof ResourceAddedEvent<Widget>;
			this.heard
				.add((added ? "ADDED " : "other ") + event.key().name() + (event.initialList() ? " initially" : ""));
		}

		@EventListener
		void on(ReflectorSyncedEvent event) {
			this.heard.add("synced " + event.reflectorName());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Handler {

		final List<String> handled = new CopyOnWriteArrayList<>();

		@Bean
		ResourceEventHandler<Widget> handler() {
			return (change) -> this.handled.add(change.key().name());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Shared extends Handler {

		@Bean
		IndexFunction<Widget> byName() {
			return (widget) -> List.of(widget.metadata().name());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OwnSource {

		private final InMemoryListerWatcher<Widget> source = new InMemoryListerWatcher<>(List.of());

		@Bean
		ListerWatcher<Widget> ownSource() {
			return this.source;
		}

	}

	static class Permissions {

		final RbacManifest manifest;

		Permissions(RbacManifest manifest) {
			this.manifest = manifest;
		}

	}

}
