package dev.reflector.autoconfigure.internal.diagnosis;

import java.io.Serializable;
import java.time.Duration;
import java.util.Map;

import dev.reflector.GenericResource;
import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.elsewhere.Gateway;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeadLetterEvent;
import dev.reflector.event.ResourceEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.MapPropertySource;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.event.TransactionalEventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests of the warnings for an application that starts with a mistake in its setup, and
 * of the names of beans.
 */
@ExtendWith(OutputCaptureExtension.class)
class SetupMistakeTests {

	private static final String DEAF = "gets no events";

	private static final String DEAF_HERE = DEAF + " from this context or its parents: it is for ";

	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(Widget.class);

	@Test
	void listenersForATypeThatIsNotMirroredAreNamed(CapturedOutput output) {
		this.runner.withUserConfiguration(Listeners.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output)
				.contains("The listener " + Listeners.class.getName() + ".gadget " + DEAF_HERE
						+ "dev.reflector.event.ResourceEvent<" + Gadget.class.getName()
						+ ">, but no reflector there mirrors " + Gadget.class.getName()
						+ ". Unless a child context mirrors it, annotate that class with @ReflectedResource")
				.contains("The listener " + Listeners.class.getName() + ".gadgetAdded gets no events")
				.contains("The listener " + Listeners.class.getName() + ".gadgetLost gets no events")
				.contains("The listener 'gadgetBean' gets no events");
			assertThat(output.getAll().split(DEAF, -1)).hasSize(5);
		});
	}

	@Test
	void anAnnotatedTypeThatIsNotScannedIsNamed(CapturedOutput output) {
		this.runner.withUserConfiguration(GatewayListener.class)
			.run((context) -> assertThat(output)
				.contains(DEAF_HERE + "dev.reflector.event.ResourceEvent<" + Gateway.class.getName()
						+ ">, whose package is not scanned there. Unless a child context mirrors it, add the package "
						+ "to @ReflectedResourceScan"));
	}

	@Test
	void transactionalListenersForATypeThatIsNotMirroredAreNamed(CapturedOutput output) {
		this.runner.withUserConfiguration(TransactionalListeners.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output)
				.containsOnlyOnce("The listener " + TransactionalListeners.class.getName() + ".gadget " + DEAF_HERE)
				.doesNotContain(".widget " + DEAF);
		});
	}

	@Test
	void listenersThatAreNeverCalledAreNamed(CapturedOutput output) {
		this.runner.withUserConfiguration(NeverCalled.class)
			.withPropertyValues("reflector.api-server.url=http://127.0.0.1:1", "reflector.backoff.initial=1h",
					"reflector.backoff.max=1h")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				String listener = "The listener " + NeverCalled.class.getName();
				String object = " gets no events from a reflector: its parameter is a Widget, but a reflector "
						+ "publishes events "
						+ "about objects. Use ResourceEvent<Widget>, whose resource() is the object";
				String transaction = " is not called: it waits for the end of a transaction, but a reflector "
						+ "publishes its "
						+ "events without a transaction. Use @EventListener, or set 'fallbackExecution'";
				assertThat(output).contains(listener + ".object" + object)
					.contains(listener + ".declared" + object)
					.contains(listener + ".payload" + object)
					.contains(listener + ".named" + object.replace("Widget", "Named").replace("<", "<? extends "))
					.contains(listener + ".base" + object.replace("Widget", "Base").replace("<", "<? extends "))
					.contains(listener + ".objects " + DEAF_HERE
							+ "dev.reflector.event.ResourceEvent<java.lang.Object>, but no reflector there mirrors "
							+ "java.lang.Object itself. For all subtypes, use ResourceEvent<?>")
					.contains(listener + ".records " + DEAF_HERE
							+ "dev.reflector.event.ResourceAddedEvent<java.lang.Record>, but no reflector there "
							+ "mirrors java.lang.Record itself. For all subtypes, use "
							+ "ResourceAddedEvent<? extends Record>")
					.contains(listener + ".afterCommit" + transaction)
					.contains(listener + ".synced" + transaction)
					.contains(NeverCalled.class.getName() + ".afterCommit (not called)")
					.doesNotContain(".atOnce ")
					.doesNotContain(".anything ")
					.doesNotContain(".namedEvents gets")
					.doesNotContain(".comparable ")
					.doesNotContain(".serializable ")
					.doesNotContain(".ofTheApplication ");
			});
	}

	@Test
	void listenersForATypeThatAParentMirrorsAreNot(CapturedOutput output) {
		this.runner.run((parent) -> ReflectorContextRunners.withoutTypes()
			.withParent(parent)
			.withUserConfiguration(WidgetListener.class)
			.run((context) -> assertThat(output).doesNotContain(DEAF)));
	}

	@Test
	void listenersOfReflectorsWhoseTypeIsNotKnownAreNot(CapturedOutput output) {
		ReflectorContextRunners.withoutTypes()
			.withUserConfiguration(Listeners.class, RawReflector.class)
			.run((context) -> assertThat(output).doesNotContain(DEAF));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			reflector.wach.min-timeout=1m                      | reflector.watch.min-timeout
			reflector.watch.min-timeot=1m                      | reflector.watch.min-timeout
			reflector.watch.mintimeot=1m                       | reflector.watch.min-timeout
			reflector.resorces.widgets.kind=Widget             | reflector.resources.widgets.kind
			reflector.resources.widgets.label-selectors=a      | reflector.resources.widgets.label-selector
			reflector.resources.widgets.name-spaces[0]=a       | reflector.resources.widgets.namespaces[0]
			reflector.health.skip-threshold=1                  | reflector.health.skipped-threshold
			""")
	void misspeltPropertiesAreWarnedOfWithTheNearestName(String setting, String nearest, CapturedOutput output) {
		this.runner.withPropertyValues(setting).run((context) -> {
			assertThat(context).hasNotFailed();
			if (setting.contains("name-spaces")) {
				// dashes do not count
				assertThat(output).doesNotContain("no such property");
				return;
			}
			assertThat(output).contains("has no effect: there is no such property. Did you mean '" + nearest + "'?");
		});
	}

	@ParameterizedTest
	@CsvSource({ "reflector.leader-election.release-on-cancel=true,reflector.leader-election",
			"reflector.sharding.count=4,reflector.sharding",
			"reflector.snapshot.commit-interval=1s,reflector.snapshot" })
	void settingsOfAFeatureThatIsNotSwitchedOnAreWarnedOf(String setting, String feature, CapturedOutput output) {
		this.runner.withPropertyValues(setting)
			.run((context) -> assertThat(output)
				.contains("Properties under '" + feature + "' have no effect, because '" + feature + ".enabled' "
						+ "is not set. Set it to true")
				.doesNotContain("no such property"));
	}

	@Test
	void settingsThatHaveNoEffectAreWarnedOf(CapturedOutput output) {
		String missing = "Properties under '%s' have no effect, because their module is missing. Add "
				+ "'dev.reflector:%s' to the " + "dependencies of the application";
		this.runner
			.withPropertyValues("reflector.console.enabled=true", "reflector.publish.kafka.topic.widgets=a",
					"reflector.snapshot.jdbc.file=a", "reflector.test.timeout=1s",
					"reflector.events.retry.max-attempts=5", "reflector.events.on-error=STOP")
			.run((context) -> assertThat(output)
				.contains(missing.formatted("reflector.console", "reflector-spring-boot-console"))
				.contains(missing.formatted("reflector.publish.kafka", "reflector-kafka"))
				.contains(missing.formatted("reflector.snapshot.jdbc", "reflector-snapshot-jdbc"))
				.contains(missing.formatted("reflector.test", "reflector-spring-boot-test"))
				.contains("Properties under 'reflector.events.retry' have no effect, because "
						+ "'reflector.events.on-error' is " + "'stop'. Set it to 'retry' or 'retry-then-stop'")
				.doesNotContain("no such property", "to true"));
	}

	@Test
	void settingsOfAWriterThatIsNotThereAreWarnedOf(CapturedOutput output) {
		this.runner.withPropertyValues("reflector.writes.timeout=5s")
			.run((context) -> assertThat(output)
				.contains("Properties under 'reflector.writes' have no effect in this context, because no type is "
						+ "annotated with @AppliedResource")
				.doesNotContain("no such property"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "context", "kubeconfig" })
	void whatIsOfNoUseBesideTheUrlIsNamed(String setting, CapturedOutput output) {
		this.runner
			.withPropertyValues("reflector.api-server." + setting + "=prod",
					"reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> assertThat(output).contains("'reflector.api-server." + setting + "' has no effect: "
					+ "'reflector.api-server.url' is set, so no kubeconfig is read"));
	}

	@ParameterizedTest
	@CsvSource({ "false,true", "true,false" })
	void aStrictStartThatDoesNotWaitIsNamed(boolean waits, boolean named, CapturedOutput output) {
		this.runner
			.withPropertyValues("reflector.enabled=true", "reflector.startup.timeout=1ms",
					"reflector.startup.strict=true", "reflector.startup.wait-for-sync=" + waits)
			.run((context) -> assertThat(output.getAll()
				.contains("'reflector.startup.strict' has no effect: 'reflector.startup.wait-for-sync' is false"))
				.isEqualTo(named));
	}

	@Test
	void attemptsThatAreMadeAreNotWarnedOf(CapturedOutput output) {
		this.runner
			.withPropertyValues("reflector.events.retry.max-attempts=5", "reflector.events.on-error=retry-then-stop")
			.run((context) -> assertThat(output).doesNotContain("has no effect"));
	}

	@Test
	void whatIsMissingForATypeWithoutAClassIsNamed(CapturedOutput output) {
		ReflectorContextRunners.withoutTypes()
			.withUserConfiguration(GenericListener.class)
			.withPropertyValues("reflector.resources.ws.api-version=example.com/v1")
			.run((context) -> assertThat(output)
				.contains("'reflector.resources.ws' has no effect: there are no reflectors; to mirror a type without a "
						+ "class, 'kind' is missing")
				.contains("but no type without a class is mirrored there. Set 'reflector.resources.<name>.api-version' "
						+ "and 'reflector.resources.<name>.kind'")
				.doesNotContain("annotate that class"));
	}

	@Test
	void aWaitForTheMirrorWhileBeansAreMadeIsWarnedOf(CapturedOutput output) {
		String warning = "Reflector 'widgets' has not been started yet: awaitSynced was called while Spring "
				+ "creates beans, so it will return false after 1 ms. Read the mirror in an ApplicationRunner";
		this.runner.withUserConfiguration(Impatient.class).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(output).containsOnlyOnce(warning);
			// after the start, any wait may succeed
			assertThat(context.getBean(Reflector.class).awaitSynced(Duration.ofMillis(1))).isFalse();
			assertThat(output).containsOnlyOnce(warning);
		});
	}

	@Test
	void aStarIsNoNameOfAllNamespaces() {
		this.runner.withPropertyValues("reflector.resources.widgets.namespaces=*")
			.run((context) -> assertThat(context.getStartupFailure()).rootCause()
				.isInstanceOfSatisfying(ReflectorConfigurationException.class,
						(failure) -> assertThat(failure.action()).isEqualTo(
								"Leave 'reflector.resources.widgets.namespaces' and 'reflector.api-server.namespace' "
										+ "empty to mirror all namespaces.")));
	}

	@Test
	void settingsOfAFeatureThatIsSwitchedOffAreNot(CapturedOutput output) {
		this.runner
			.withPropertyValues("reflector.leader-election.enabled=false",
					"reflector.leader-election.release-on-cancel=true", "reflector.sharding.enabled=false",
					"reflector.sharding.count=4", "reflector.snapshot.enabled=false", "reflector.snapshot.jdbc.file=a",
					"reflector.console.enabled=false", "reflector.console.path=/ops")
			.run((context) -> assertThat(output).doesNotContain("has no effect"));
	}

	@Test
	void aPropertyThatIsNotNearAnyIsWarnedOfWithThoseThatThereAre(CapturedOutput output) {
		this.runner.withPropertyValues("reflector.list.something=else")
			.run((context) -> assertThat(output)
				.contains("'reflector.list.something' has no effect: there is no such property. The properties "
						+ "under 'reflector.list' are [consistent-first, page-size]"));
	}

	@Test
	void propertiesThatThereAreAreNotWarnedOf(CapturedOutput output) {
		this.runner.withPropertyValues("reflector.watch.minTimeout=1m", "reflector.resources.widgets.namespaces[0]=a",
				"reflector.resources.widgets.namespaces[1]=b", "reflector.list.page_size=5", "reflector.enabled=true")
			.run((context) -> assertThat(output).doesNotContain("no such property"));
	}

	@Test
	void elementsOfAListThatAnotherSourceReplacesAreNotWarnedOf(CapturedOutput output) {
		Map<String, Object> replaced = Map.of("reflector.resources.widgets.namespaces[0]", "a",
				"reflector.resources.widgets.namespaces[1]", "b", "reflector.list[0]", "c");
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addLast(new MapPropertySource("replaced", replaced)))
			.withPropertyValues("reflector.resources.widgets.namespaces=d")
			.run((context) -> {
				Reflector<?> reflector = context.getBean(Reflector.class);
				assertThat(reflector.namespaces()).containsExactly("d");
				assertThat(output).doesNotContain("'reflector.resources.widgets.namespaces[")
					.contains("'reflector.list[0]' has no effect");
			});
	}

	@ParameterizedTest
	@ValueSource(strings = { "No_Such!", "-a", "a.b", "ümlaut" })
	void aNamespaceThatCannotExistIsRefused(String namespace) {
		for (String property : new String[] { "reflector.resources.widgets.namespaces",
				"reflector.api-server.namespace" }) {
			this.runner.withPropertyValues(property + "=" + namespace)
				.run((context) -> assertThat(context).getFailure()
					.hasRootCauseMessage("The reflector 'widgets' cannot be made: a namespace cannot have the name '"
							+ namespace + "'"));
		}
	}

	@Test
	void beansAreFoundByTheNameOfTheReflectorAndByTheirOwn() {
		this.runner.withUserConfiguration(Qualified.class)
			.withPropertyValues("reflector.resources.pods.api-version=v1", "reflector.resources.pods.kind=Pod")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				Qualified qualified = context.getBean(Qualified.class);
				assertThat(qualified.byName).isSameAs(qualified.byReflector).isSameAs(context.getBean("widgetLister"));
				assertThat(qualified.pods).isSameAs(context.getBean("podsLister"));
			});
	}

	@Test
	void namesTellClassesOfOneSimpleNameApart() {
		ReflectorContextRunners.withTypesIn("dev.reflector.autoconfigure.fixture.samename").run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context.getBeansOfType(Reflector.class)).containsOnlyKeys("widgets-aReflector",
					"widgets-bReflector");
			assertThat(context.getBeansOfType(Lister.class)).containsOnlyKeys("widgets-aLister", "widgets-bLister");
		});
	}

	record Gadget(ObjectMeta metadata) {

	}

	@Configuration(proxyBeanMethods = false)
	static class GatewayListener {

		@EventListener
		void gateway(ResourceEvent<Gateway> event) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		@EventListener
		void gadget(ResourceEvent<Gadget> event) {
		}

		@EventListener
		void gadgetAdded(ResourceAddedEvent<Gadget> event) {
		}

		@EventListener
		void gadgetLost(ResourceDeadLetterEvent<Gadget> event) {
		}

		@EventListener
		void widgetLost(ResourceDeadLetterEvent<Widget> event) {
		}

		@EventListener
		void anyLost(ResourceDeadLetterEvent<?> event) {
		}

		@EventListener
		void widget(ResourceAddedEvent<Widget> event) {
		}

		@EventListener
		void any(ResourceEvent<?> event) {
		}

		@EventListener
		void records(ResourceEvent<? extends Record> event) {
		}

		@EventListener(ResourceEvent.class)
		void raw() {
		}

		@Bean
		ApplicationListener<ResourceEvent<Gadget>> gadgetBean() {
			return new ApplicationListener<>() {

				@Override
				public void onApplicationEvent(ResourceEvent<Gadget> event) {
				}

			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Impatient {

		@Bean
		Boolean synced(Reflector<Widget> widgets) throws InterruptedException {
			return widgets.awaitSynced(Duration.ofMillis(1));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class GenericListener {

		@EventListener
		void on(ResourceEvent<GenericResource> event) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class TransactionalListeners {

		@TransactionalEventListener(fallbackExecution = true)
		void gadget(ResourceEvent<Gadget> event) {
		}

		@TransactionalEventListener(fallbackExecution = true)
		void widget(ResourceEvent<Widget> event) {
		}

	}

	interface Named {

	}

	abstract static class Base<T> implements Named, Comparable<T>, Serializable {

		private static final long serialVersionUID = 1L;

		@Override
		public int compareTo(T other) {
			return 0;
		}

		ObjectMeta getMetadata() {
			return ObjectMeta.of("default", "a");
		}

	}

	static final class Gizmo extends Base<Gizmo> {

		private static final long serialVersionUID = 1L;

	}

	@Configuration(proxyBeanMethods = false)
	@EnableTransactionManagement
	static class NeverCalled {

		@Bean
		static ReflectedResourceRegistration<Gizmo> gizmos() {
			return ReflectedResourceRegistration.of(Gizmo.class, "example.com/v1");
		}

		@EventListener
		void object(Widget widget) {
		}

		@EventListener(Widget.class)
		void declared() {
		}

		@EventListener
		void payload(PayloadApplicationEvent<Widget> event) {
		}

		@EventListener
		void named(Named object) {
		}

		@EventListener
		void base(PayloadApplicationEvent<Base<?>> event) {
		}

		@EventListener
		void namedEvents(ResourceEvent<? extends Named> event) {
		}

		@EventListener
		void comparable(Comparable<?> object) {
		}

		@EventListener
		void serializable(Serializable event) {
		}

		@EventListener
		void objects(ResourceEvent<Object> event) {
		}

		@EventListener
		void records(ResourceAddedEvent<Record> event) {
		}

		@TransactionalEventListener
		void afterCommit(ResourceAddedEvent<Widget> event) {
		}

		@TransactionalEventListener
		void synced(ReflectorSyncedEvent event) {
		}

		@TransactionalEventListener(fallbackExecution = true)
		void atOnce(ResourceEvent<Widget> event) {
		}

		@EventListener
		void anything(Object event) {
		}

		@TransactionalEventListener
		void ofTheApplication(Gadget event) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WidgetListener {

		@EventListener
		void widget(ResourceEvent<Widget> event) {
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RawReflector {

		@Bean
		@SuppressWarnings("rawtypes")
		Reflector anything() {
			return mock(Reflector.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Qualified {

		private final Lister<Widget> byName;

		private final Lister<Widget> byReflector;

		private final Lister<?> pods;

		Qualified(@Qualifier("widgetLister") Lister<Widget> byName, @Qualifier("widgets") Lister<Widget> byReflector,
				@Qualifier("podsLister") Lister<?> pods) {
			this.byName = byName;
			this.byReflector = byReflector;
			this.pods = pods;
		}

	}

}
