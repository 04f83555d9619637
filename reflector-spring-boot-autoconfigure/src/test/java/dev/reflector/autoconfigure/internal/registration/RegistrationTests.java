package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.actuate.metrics.ReflectorMetrics;
import dev.reflector.actuate.tracing.ReflectorObservations;
import dev.reflector.autoconfigure.ReflectedResourceScan;
import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.autoconfigure.ReflectorProperties;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.empty.Nothing;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.autoconfigure.registration.ReflectedResourceTypes;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.cache.source.DelegatingListerWatcher;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.MetadataAccessor;
import dev.reflector.cache.source.PollingListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import dev.reflector.cache.source.TransformFunction;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.event.ResourceEventStream;
import dev.reflector.fixture.MemorySnapshots;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests of {@link ReflectedResourceRegistration} beans, and of the beans that belong to a
 * reflector by the type of its objects.
 */
@ExtendWith(OutputCaptureExtension.class)
class RegistrationTests {

	private static final String FAILED = "APPLICATION FAILED TO START";

	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(Nothing.class);

	private final ApplicationContextRunner annotated = ReflectorContextRunners.withTypesNextTo(Widget.class);

	@Test
	void registersReflectorListerAndStream() {
		this.runner.withUserConfiguration(OneRegistration.class, Injection.class).run((context) -> {
			assertThat(context).hasNotFailed()
				.hasBean("cratesReflector")
				.hasBean("cratesLister")
				.hasBean("cratesEventStream");
			Injection injection = context.getBean(Injection.class);
			assertThat(injection.reflector.name()).isEqualTo("crates");
			assertThat(injection.reflector.resourceType()).isEqualTo(ResourceType.of("example.com/v1", "Crate", null));
			assertThat(injection.lister).isSameAs(context.getBean("cratesLister"));
			assertThat(injection.stream).isSameAs(context.getBean("cratesEventStream"));
			assertThat(context.getBean(ReflectedResourceTypes.class).list())
				.containsExactly(ResourceType.of("example.com/v1", "Crate", "crates"));
		});
	}

	@Test
	void saysThatTheMethodOfARegistrationHasToBeStatic(CapturedOutput output) {
		this.runner.withUserConfiguration(OneRegistration.class).run((context) -> assertThat(context).hasNotFailed());
		assertThat(output).doesNotContain("is not static");
		this.runner.withUserConfiguration(NotStatic.class)
			.run((context) -> assertThat(context).hasNotFailed().hasBean("cratesReflector"));
		assertThat(output).containsOnlyOnce("The @Bean method 'registered' of 'registrationTests.NotStatic' is not "
				+ "static. It registers a reflector, so Spring instantiates the configuration class before it "
				+ "can inject values into its fields. Declare the method static");
	}

	@Test
	void withoutRegistrationThereIsNothing() {
		this.runner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(Reflector.class));
	}

	@Test
	void saysAllThatAnAnnotationCan() {
		this.runner.withUserConfiguration(FullRegistration.class).run((context) -> {
			Reflector<?> reflector = context.getBean("boxesReflector", Reflector.class);
			assertThat(reflector.resourceType()).isEqualTo(ResourceType.of("v2", "Box", "boxen"));
			assertThat(reflector.namespaces()).containsExactly("east", "west");
		});
		ReflectorDefinition<Crate> definition = definition(FullRegistration.boxes());
		assertThat(definition.labelSelector()).isEqualTo("a=b");
		assertThat(definition.fieldSelector()).isEqualTo("metadata.name=c");
		assertThat(definition.resyncPeriod()).isEqualTo(Duration.ofMinutes(3));
	}

	@Test
	void severalSourcesThatPollReadTheKeysAndVersionsOfTheirOwnObjects() {
		this.runner.withUserConfiguration(TwoPolled.class).run((context) -> {
			Lister<?> eastern = context.getBean("eastern-poemsLister", Lister.class);
			Lister<?> western = context.getBean("western-poemsLister", Lister.class);
			await().until(() -> eastern.size() == 1 && western.size() == 1);
			assertThat(eastern.get("Ozymandias")).isEqualTo(new Poem("Ozymandias"));
			assertThat(western.get("west", "Kubla Khan")).isEqualTo(new Poem("Kubla Khan"));
			await().until(() -> context.getBean("western-poemsReflector", Reflector.class)
				.lastSyncResourceVersion()
				.equals("2"));
		});
	}

	@Test
	void ofSeveralSourcesThatPollThePrimaryOneReadsTheKeysAndVersions() {
		this.runner.withUserConfiguration(Polled.class, PrimaryPolled.class).run((context) -> {
			Lister<?> lister = context.getBean("poemsLister", Lister.class);
			await().until(() -> lister.size() == 1);
			assertThat(lister.get("west", "Kubla Khan")).isEqualTo(new Poem("Kubla Khan"));
			Reflector<?> reflector = context.getBean("poemsReflector", Reflector.class);
			await().until(() -> reflector.lastSyncResourceVersion().equals("2"));
		});
	}

	@Test
	void aSourceThatPollsReadsNothingForOtherReflectorsOfItsType() {
		ApplicationContextRunner orders = this.runner.withUserConfiguration(PolledCrates.class, EasternOrders.class);
		orders.run((context) -> {
			assertThat(accessor(context, "polled-crates")).isSameAs(context.getBean(PollingListerWatcher.class));
			assertThat(accessor(context, "eastern-orders")).as("of the server").isInstanceOf(MetadataAccessor.class);
		});
		orders.withUserConfiguration(EasternSource.class)
			.run((context) -> assertThat(accessor(context, "eastern-orders")).as("of another source")
				.isInstanceOf(MetadataAccessor.class));
		orders.withUserConfiguration(WrappedCrates.class)
			.run((context) -> assertThat(accessor(context, "eastern-orders")).as("wrapped")
				.isSameAs(context.getBean(PollingListerWatcher.class)));
	}

	private static ResourceAccessor<?> accessor(ApplicationContext context, String name) {
		return context.getBean(name + "Reflector", SharedInformer.class).accessor();
	}

	@Test
	void aSourceThatPollsReadsTheVersionsOfItsObjects() {
		this.runner.withUserConfiguration(Polled.class).run((context) -> {
			Lister<?> lister = context.getBean("poemsLister", Lister.class);
			await().until(() -> lister.size() == 1);
			Reflector<?> reflector = context.getBean("poemsReflector", Reflector.class);
			// it follows the objects
			await().until(() -> reflector.status().lastSyncResourceVersion().equals("2"));
		});
	}

	@Test
	void aSourceThatPollsIsNeitherDurableNorDividedIntoSlots(CapturedOutput output) {
		String reason = "the versions of its source end with the process";
		this.runner.withUserConfiguration(Polled.class)
			.withBean(SnapshotStore.class, MemorySnapshots::new)
			.withPropertyValues("reflector.snapshot.enabled=true", "reflector.events.on-error=stop")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("The reflector 'poems' cannot be durable: " + reason));
		this.runner.withUserConfiguration(Polled.class)
			.withPropertyValues("reflector.sharding.enabled=true", "reflector.sharding.assignment=dynamic",
					"reflector.api-server.url=http://127.0.0.1:1", "reflector.sharding.leases.namespace=apps",
					"spring.application.name=poetry")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("The reflector 'poems' cannot follow slots: " + reason));
	}

	private static ReflectorDefinitions definitions(ApplicationContext context) {
		ReflectorProperties properties = context.getBean(ReflectorProperties.class);
		return new ReflectorDefinitions(properties.resources(), properties.resyncPeriod(),
				properties.apiServer().namespace(), context.getEnvironment());
	}

	private static ReflectorDefinition<Crate> definition(ReflectedResourceRegistration<Crate> registration) {
		AtomicReference<ReflectorDefinition<Crate>> definition = new AtomicReference<>();
		ReflectorContextRunners.withTypesNextTo(Nothing.class)
			.run((context) -> definition.set(definitions(context).registered("boxes", registration)));
		return definition.get();
	}

	@Test
	void propertiesOverrideARegistration() {
		this.runner.withUserConfiguration(FullRegistration.class)
			.withPropertyValues("reflector.resources.boxes.namespaces=north", "reflector.resources.boxes.kind=Carton",
					"reflector.resources.boxes.api-version=v3")
			.run((context) -> {
				Reflector<?> reflector = context.getBean("boxesReflector", Reflector.class);
				assertThat(reflector.namespaces()).containsExactly("north");
				assertThat(reflector.resourceType()).isEqualTo(ResourceType.of("v3", "Carton", "boxen"));
				assertThat(context).hasSingleBean(Reflector.class);
			});
	}

	@Test
	void environmentVariablesOverrideARegistration() {
		Map<String, Object> variables = Map.of("REFLECTOR_RESOURCES_EASTERNORDERS_APIVERSION", "v3",
				"REFLECTOR_RESOURCES_EASTERNORDERS_KIND", "Carton");
		this.runner.withUserConfiguration(EasternOrders.class)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)))
			.run((context) -> {
				assertThat(context).hasNotFailed().hasSingleBean(Reflector.class).hasSingleBean(Lister.class);
				Reflector<?> reflector = context.getBean("eastern-ordersReflector", Reflector.class);
				assertThat(reflector.resourceType()).isEqualTo(ResourceType.of("v3", "Carton", null));
			});
	}

	@Test
	void anApplicationThatOnlyRegistersIsObservedLikeAnyOther() {
		SimpleMeterRegistry meters = new SimpleMeterRegistry();
		this.runner.withUserConfiguration(OneRegistration.class)
			.withBean(MeterRegistry.class, () -> meters)
			.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.run((context) -> {
				assertThat(context).hasNotFailed()
					.hasSingleBean(ReflectorMetrics.class)
					.hasSingleBean(ReflectorObservations.class);
				assertThat(context.getBean(CompositeHealthContributor.class).getContributor("crates")).isNotNull();
				context.getBean(ReflectorMetrics.class).bindTo(meters);
				assertThat(meters.get("reflector.store.size").tag("reflector", "crates").gauge().value()).isZero();
			});
	}

	@Test
	void severalReflectorsOfOneTypeAreToldApartByName() {
		this.runner.withUserConfiguration(EastAndWest.class, Sides.class).run((context) -> {
			Sides sides = context.getBean(Sides.class);
			await().until(() -> sides.east.size() == 1 && sides.west.size() == 2);
			assertThat(sides.eastReflector.name()).isEqualTo("east");
			assertThat(sides.east.get("default", "e")).isNotNull();
			assertThat(sides.west.list()).hasSize(2);
		});
	}

	@Test
	void severalReflectorsOfOneTypeNeedTheirNameToBeInjected() {
		this.runner.withUserConfiguration(EastAndWest.class, Injection.class)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoUniqueBeanDefinitionException.class));
	}

	@Test
	void theBeansOfAnAnnotatedTypeComeFirst() {
		this.annotated.withUserConfiguration(MoreWidgets.class, WidgetInjection.class).run((context) -> {
			assertThat(context).hasNotFailed();
			WidgetInjection injection = context.getBean(WidgetInjection.class);
			assertThat(injection.widgets.name()).isEqualTo("widgets");
			assertThat(injection.others.name()).isEqualTo("spare-widgets");
		});
	}

	@Test
	void theNameOfAnAnnotatedTypeIsItsQualifier() {
		this.annotated.withUserConfiguration(MoreWidgets.class, QualifiedWidgets.class).run((context) -> {
			QualifiedWidgets injection = context.getBean(QualifiedWidgets.class);
			assertThat(injection.reflector).isSameAs(context.getBean("widgetReflector"));
			assertThat(injection.lister).isSameAs(context.getBean("widgetLister"));
			assertThat(injection.stream).isSameAs(context.getBean("widgetEventStream"));
			assertThat(injection.spare).isSameAs(context.getBean("spare-widgetsLister"));
			assertThat(injection.spare).isNotSameAs(injection.lister);
		});
	}

	@Test
	void placeholdersOfARegistration() {
		this.runner.withUserConfiguration(Placeholders.class)
			.withPropertyValues("my.version=example.com/v7", "my.kind=Parcel", "my.plural=parcelz", "my.spaces=a, b",
					"my.label=app=web", "my.field=metadata.name=x")
			.run((context) -> {
				Reflector<?> reflector = context.getBean("parcelsReflector", Reflector.class);
				assertThat(reflector.name()).isEqualTo("parcels");
				assertThat(reflector.resourceType()).isEqualTo(ResourceType.of("example.com/v7", "Parcel", "parcelz"));
				assertThat(reflector.namespaces()).containsExactly("a", "b", "c");
				ReflectorDefinition<Crate> definition = definitions(context).registered("parcels",
						Placeholders.parcels());
				assertThat(definition.labelSelector()).isEqualTo("app=web");
				assertThat(definition.fieldSelector()).isEqualTo("metadata.name=x");
				assertThat(context.getBean(ReflectedResourceTypes.class).list())
					.containsExactly(ResourceType.of("example.com/v7", "Parcel", "parcelz"));
			});
	}

	@Test
	void placeholderInTheNameOfARegistration() {
		this.runner.withUserConfiguration(NamedByProperty.class)
			.withPropertyValues("my.name=boxes", "reflector.resources.boxes.namespaces=east")
			.run((context) -> {
				Reflector<?> reflector = context.getBean("boxesReflector", Reflector.class);
				assertThat(reflector.namespaces()).containsExactly("east");
			});
	}

	@Test
	void placeholderOfARegistrationWithoutAValue(CapturedOutput output) {
		failToStart(NamedByProperty.class);
		assertThat(output).contains(FAILED)
			.contains("The registration 'crates' cannot be used: its 'name': Could not resolve placeholder 'my.name'")
			.contains("Define the property, or give the placeholder a default value.");
	}

	@Test
	void aScopedSourceIsOne() {
		this.annotated.withUserConfiguration(Scoped.class).run((context) -> {
			Lister<Widget> widgets = widgets(context);
			await().until(() -> widgets.size() == 1);
		});
	}

	@Test
	void transformationsChangeWhatIsStoredInTheirOrder(CapturedOutput output) {
		this.annotated.withUserConfiguration(Transforming.class).run((context) -> {
			Lister<Widget> widgets = widgets(context);
			await().until(() -> widgets.size() == 2);
			assertThat(widgets.get("default", "a").size()).isEqualTo((1 + 1) * 10);
			InMemoryListerWatcher<Widget> source = context.getBean(Transforming.class).source;
			await().until(() -> source.watches() == 1);
			source.emit(new WatchEvent.Modified<>(widget("a", "11", 4)));
			await().until(() -> widgets.get("default", "a").size() == (4 + 1) * 10);
			source.emit(new WatchEvent.Modified<>(widget("a", "12", -1)));
			source.emit(new WatchEvent.Deleted<>(widget("b", "13", 1)));
			await().until(() -> widgets.size() == 1);
			assertThat(widgets.get("default", "a").size()).isEqualTo(50);
		});
		assertThat(output).contains("skipped default/a at resource version 12")
			.contains("the transformation has failed with java.lang.IllegalArgumentException");
	}

	@Test
	void anAccessorReplacesHowKeysAreRead() {
		this.runner.withUserConfiguration(Odd.class).run((context) -> {
			assertThat(context).hasNotFailed();
			Lister<?> lister = context.getBean("oddsLister", Lister.class);
			await().until(() -> lister.size() == 1);
			assertThat(lister.get(ResourceKey.of("", "key-of-x"))).isEqualTo(new Nameless("x"));
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "app=web", "app==web,tier!=back", "a in (b, c), d notin (e)", "!canary,app", "size>5",
			"example.com/app=", "${nothing:}" })
	void labelSelectorsThatServersUnderstand(String selector) {
		this.annotated.withPropertyValues("reflector.resources.widgets.label-selector=" + selector)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "metadata.name=web", "status.phase!=Failed,spec.nodeName==", "a=b\\,c\\=d",
			"metadata.name=web,", "${nothing:},metadata.name=web" })
	void fieldSelectorsThatServersUnderstand(String selector) {
		this.annotated.withPropertyValues("reflector.resources.widgets.field-selector=" + selector)
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			label-selector=app=web,,tier=x     | 'app=web,,tier=x' is not a label selector
			label-selector=app is web          | 'app is web' is not a label selector
			label-selector=app in (web         | 'app in (web' is not a label selector
			field-selector=metadata.name       | 'metadata.name' is not a field selector
			field-selector=a=b=c               | 'a=b=c' is not a field selector
			resync-period=soon                 | reflector.resources.widgets.resync-period
			""")
	void wrongSettingsOfOneReflector(String setting, String message, CapturedOutput output) {
		failToStart(EnableWidgets.class, "reflector.resources.widgets." + setting);
		assertThat(output).contains(FAILED).contains(message);
	}

	@Test
	void theVariableThatKubernetesSetsForAServiceIsExplained(CapturedOutput output) {
		failToStart(Application.class, "reflector.resources.port=tcp://10.0.0.1:80");
		assertThat(output).contains(FAILED)
			.contains("The environment variable REFLECTOR_RESOURCES_PORT is taken for 'reflector.resources.port'")
			.contains("Set 'enableServiceLinks: false' in the spec of the pod, or rename the Service.");
	}

	@Test
	void wrongSelectorSaysWhereToCorrectIt(CapturedOutput output) {
		failToStart(EnableWidgets.class, "reflector.resources.widgets.label-selector=a b");
		assertThat(output).contains("set 'reflector.resources.widgets.label-selector'. An example is 'app=web,");
	}

	@Test
	void twoRegistrationsOfOneName(CapturedOutput output) {
		failToStart(SameName.class);
		assertThat(output).contains(FAILED)
			.contains("The reflector 'crates' of the registration 'second' cannot be registered")
			.contains("of the registration 'first'")
			.contains("Give the registration another name with 'withName'.");
	}

	@Test
	void aBeanOfTheApplicationWithTheNameOfTheListerIsNotReplaced(CapturedOutput output) {
		failToStart(TakenName.class, "spring.main.allow-bean-definition-overriding=true");
		assertThat(output).contains(FAILED)
			.contains("The reflector 'boxes' of the registration 'boxes' cannot be registered: there is a bean "
					+ "'boxesLister' already");
	}

	@Test
	void registrationWithTheNameOfAnAnnotatedType(CapturedOutput output) {
		failToStart(AnnotatedName.class);
		assertThat(output).contains(FAILED)
			.contains("have the same name 'widgets'")
			.contains("or with 'withName' of its registration");
	}

	@ParameterizedTest
	@ValueSource(strings = { "my-things,mythings", "myThings,my.things" })
	void namesThatShareTheirSettings(String names, CapturedOutput output) {
		List<String> settings = Arrays.stream(names.split(","))
			.flatMap((name) -> List
				.of("reflector.resources.[" + name + "].api-version=v" + name.length(),
						"reflector.resources.[" + name + "].kind=Thing")
				.stream())
			.toList();
		failToStart(Application.class, settings.toArray(String[]::new));
		assertThat(output).contains(FAILED)
			.contains("share the settings below 'reflector.resources': their names differ only in case, dashes")
			.contains("Give one of them a name that differs in letters or digits.");
	}

	@Test
	void reflectorOfTheApplicationWithTheNameOfAnother(CapturedOutput output) {
		failToStart(OwnReflector.class);
		assertThat(output).contains(FAILED)
			.contains("have the same name 'widgets'")
			.contains("the bean 'ownReflector'")
			.contains(Widget.class.getName())
			.contains("or where the application makes it");
	}

	@Test
	void sourcesThatNoReflectorHasAreNamed(CapturedOutput output) {
		this.runner.withUserConfiguration(EastAndWest.class, Sources.class).run((context) -> {
			assertThat(context).hasNotFailed();
			await().until(() -> context.getBean("eastLister", Lister.class).size() == 1);
		});
		assertThat(output).containsOnlyOnce("has no effect")
			.contains("The ListerWatcher 'sourceOfTheNort' has no effect: neither its bean name nor a qualifier is "
					+ "the name of a reflector of its type. These reflectors have that type: [east, north, west]");
	}

	@Test
	void theOnlySourceOfTheOnlyReflectorNeedsNoName(CapturedOutput output) {
		this.annotated.withUserConfiguration(Transforming.class)
			.run((context) -> await().until(() -> widgets(context).size() == 2));
		assertThat(output).doesNotContain("has no effect");
	}

	@Test
	void sourcesAreNamedLikeSettings() {
		this.runner.withUserConfiguration(EasternOrders.class, EastAndWest.class, EasternSource.class)
			.run((context) -> await().until(() -> context.getBean("eastern-ordersLister", Lister.class).size() == 3));
	}

	@Test
	void severalSourcesOfOneReflector(CapturedOutput output) {
		failToStart(SeveralSources.class);
		assertThat(output).contains(FAILED)
			.contains("The reflector 'widgets' can have one source, but there are several beans of type "
					+ "ListerWatcher<Widget>: a, b.")
			.contains("Give the right one the name 'widgets' as its bean name or with @Qualifier, mark it as @Primary");
	}

	@Test
	void severalAccessorsOfOneType(CapturedOutput output) {
		failToStart(SeveralAccessors.class);
		assertThat(output).contains(FAILED)
			.contains("can have one accessor, but there are several beans of type ResourceAccessor<Widget>: c, d.")
			.contains("Mark one of them as @Primary, or remove the others.");
	}

	@Test
	void registrationOfATypeWithoutMetadata(CapturedOutput output) {
		failToStart(NoMetadata.class);
		assertThat(output).contains(FAILED)
			.contains("Nameless cannot be mirrored")
			.contains("Add a component 'ObjectMeta metadata' to");
	}

	@Test
	void registrationWithANegativePeriod() {
		ReflectedResourceRegistration<Nothing> registration = ReflectedResourceRegistration.of(Nothing.class, "v1");
		assertThatIllegalArgumentException().isThrownBy(() -> registration.withResyncPeriod(Duration.ofSeconds(-1)))
			.withMessage("'resyncPeriod' of 'nothings' must not be negative");
	}

	@Test
	void registrationWithAnUnusableName(CapturedOutput output) {
		failToStart(BadName.class);
		assertThat(output).contains(FAILED)
			.contains("The registration 'crates' cannot be used: 'a/b' is not a valid name of a reflector");
	}

	private static void failToStart(Class<?> source, String... settings) {
		SpringApplication application = new SpringApplication(source, Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setRegisterShutdownHook(false);
		List<String> arguments = Stream.of(ReflectorContextRunners.NO_SERVER, settings)
			.flatMap(Arrays::stream)
			.map((setting) -> "--" + setting)
			.toList();
		assertThatException().isThrownBy(() -> application.run(arguments.toArray(String[]::new)).close());
	}

	@SuppressWarnings("unchecked")
	private static Lister<Widget> widgets(ApplicationContext context) {
		return context.getBean("widgetLister", Lister.class);
	}

	private static Widget widget(String name, String version, int size) {
		return new Widget(meta(name, version), size);
	}

	private static ObjectMeta meta(String name, String version) {
		return new ObjectMeta(name, "default", null, version, 0, null, null, null, null, null, null);
	}

	record Crate(ObjectMeta metadata) {

	}

	record Nameless(String what) {

	}

	record Injection(Reflector<Crate> reflector, Lister<Crate> lister, ResourceEventStream<Crate> stream) {

	}

	record Sides(@Qualifier("east") Reflector<Crate> eastReflector, @Qualifier("east") Lister<Crate> east,
			@Qualifier("west") Lister<Crate> west) {

	}

	record WidgetInjection(Reflector<Widget> widgets, @Qualifier("spare-widgets") Reflector<Widget> others) {

	}

	record QualifiedWidgets(@Qualifier("widgets") Reflector<Widget> reflector,
			@Qualifier("widgets") Lister<Widget> lister, @Qualifier("widgets") ResourceEventStream<Widget> stream,
			@Qualifier("spare-widgets") Lister<Widget> spare) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Placeholders {

		@Bean
		static ReflectedResourceRegistration<Crate> parcels() {
			return ReflectedResourceRegistration.of(Crate.class, "${my.version}", "${my.kind}")
				.withPlural("${my.plural}")
				.withNamespaces("${my.spaces}", "c")
				.withLabelSelector("${my.label}")
				.withFieldSelector("${my.field}");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NamedByProperty {

		@Bean
		static ReflectedResourceRegistration<Crate> crates() {
			return ReflectedResourceRegistration.of(Crate.class, "v1").withName("${my.name}");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(ReflectorAutoConfiguration.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@ReflectedResourceScan(basePackageClasses = Widget.class)
	static class EnableWidgets {

	}

	@Configuration(proxyBeanMethods = false)
	static class NotStatic {

		@Bean
		ReflectedResourceRegistration<Crate> registered() {
			return ReflectedResourceRegistration.of(Crate.class, "example.com/v1");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OneRegistration {

		@Bean
		static ReflectedResourceRegistration<Crate> crates() {
			return ReflectedResourceRegistration.of(Crate.class, "example.com/v1");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class FullRegistration {

		@Bean
		static ReflectedResourceRegistration<Crate> boxes() {
			return ReflectedResourceRegistration.of(Crate.class, "v2", "Box")
				.withPlural("boxen")
				.withNamespaces("east", "west")
				.withLabelSelector("a=b")
				.withFieldSelector("metadata.name=c")
				.withResyncPeriod(Duration.ofMinutes(3));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EastAndWest {

		@Bean
		static ReflectedResourceRegistration<Crate> eastRegistration() {
			return ReflectedResourceRegistration.of(Crate.class, "v1").withName("east");
		}

		@Bean
		static ReflectedResourceRegistration<Crate> westRegistration() {
			return ReflectedResourceRegistration.of(Crate.class, "v1").withName("west");
		}

		@Bean
		ListerWatcher<Crate> east() {
			return new InMemoryListerWatcher<>(List.of(new Crate(meta("e", "1"))));
		}

		@Bean
		@Qualifier("west")
		ListerWatcher<Crate> sourceOfTheWest() {
			return new InMemoryListerWatcher<>(List.of(new Crate(meta("w1", "1")), new Crate(meta("w2", "2"))));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EasternOrders {

		@Bean
		static ReflectedResourceRegistration<Crate> easternOrderRegistration() {
			return ReflectedResourceRegistration.of(Crate.class, "v1").withName("eastern-orders");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class EasternSource {

		@Bean
		ListerWatcher<Crate> easternOrders() {
			return new InMemoryListerWatcher<>(
					List.of(new Crate(meta("a", "1")), new Crate(meta("b", "2")), new Crate(meta("c", "3"))));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Sources {

		@Bean
		static ReflectedResourceRegistration<Crate> northRegistration() {
			return ReflectedResourceRegistration.of(Crate.class, "v1").withName("north");
		}

		@Bean
		@Qualifier("nort")
		ListerWatcher<Crate> sourceOfTheNort() {
			return new InMemoryListerWatcher<>(List.of());
		}

		@Bean
		ListerWatcher<Crate> wrapped() {
			return new InMemoryListerWatcher<>(List.of());
		}

		@Bean
		Object whoHasIt(@Qualifier("wrapped") ListerWatcher<Crate> wrapped) {
			return List.of(wrapped);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(EnableWidgets.class)
	static class SeveralSources {

		@Bean
		ListerWatcher<Widget> b() {
			return new InMemoryListerWatcher<>(List.of());
		}

		@Bean
		ListerWatcher<Widget> a() {
			return new InMemoryListerWatcher<>(List.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(EnableWidgets.class)
	static class SeveralAccessors {

		@Bean
		ResourceAccessor<Widget> d() {
			return MetadataAccessor.forType(Widget.class);
		}

		@Bean
		ResourceAccessor<Widget> c() {
			return MetadataAccessor.forType(Widget.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(EnableWidgets.class)
	static class OwnReflector {

		@Bean
		SharedInformer<Crate> ownReflector(TimeSource time, @Qualifier("reflectorTaskExecutor") Executor threads) {
			return SharedInformer
				.builder("widgets", new InMemoryListerWatcher<>(List.of()), MetadataAccessor.forType(Crate.class))
				.resourceType(ResourceType.of("v1", "Crate", "crates"))
				.time(time)
				.threads(threads)
				.build();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MoreWidgets {

		@Bean
		static ReflectedResourceRegistration<Widget> spareWidgets() {
			return ReflectedResourceRegistration.of(Widget.class, "example.com/v1").withName("spare-widgets");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Scoped {

		@Bean
		@Scope(value = BeanDefinition.SCOPE_SINGLETON, proxyMode = ScopedProxyMode.INTERFACES)
		ListerWatcher<Widget> scoped() {
			return new InMemoryListerWatcher<>(List.of(widget("a", "1", 1)));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Transforming {

		private final InMemoryListerWatcher<Widget> source = new InMemoryListerWatcher<>(
				List.of(widget("a", "1", 1), widget("b", "2", 2)));

		@Bean
		ListerWatcher<Widget> source() {
			return this.source;
		}

		@Bean
		@Order(2)
		TransformFunction<Widget> times() {
			return (widget) -> new Widget(widget.metadata(), widget.size() * 10);
		}

		@Bean
		@Order(1)
		TransformFunction<Widget> plus() {
			return (widget) -> {
				if (widget.size() < 0) {
					throw new IllegalArgumentException();
				}
				return new Widget(widget.metadata(), widget.size() + 1);
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Odd {

		@Bean
		static ReflectedResourceRegistration<Nameless> odds() {
			return ReflectedResourceRegistration.of(Nameless.class, "v1", "Odd");
		}

		@Bean
		ResourceAccessor<Nameless> accessor() {
			return new ResourceAccessor<>() {

				@Override
				public ResourceKey key(Nameless object) {
					return ResourceKey.of("", "key-of-" + object.what());
				}

				@Override
				public String resourceVersion(Nameless object) {
					return "1";
				}

			};
		}

		@Bean
		ListerWatcher<Nameless> source() {
			return new InMemoryListerWatcher<>(List.of(new Nameless("x")));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class SameName {

		@Bean
		static ReflectedResourceRegistration<Crate> first() {
			return ReflectedResourceRegistration.of(Crate.class, "v1");
		}

		@Bean
		static ReflectedResourceRegistration<Widget> second() {
			return ReflectedResourceRegistration.of(Widget.class, "v1").withName("crates");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class TakenName {

		@Bean
		static ReflectedResourceRegistration<Crate> boxes() {
			return ReflectedResourceRegistration.of(Crate.class, "v1").withName("boxes");
		}

		@Bean
		String boxesLister() {
			return "a bean of the application";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Import(EnableWidgets.class)
	static class AnnotatedName {

		@Bean
		static ReflectedResourceRegistration<Widget> more() {
			return ReflectedResourceRegistration.of(Widget.class, "v1");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class NoMetadata {

		@Bean
		static ReflectedResourceRegistration<Nameless> odds() {
			return ReflectedResourceRegistration.of(Nameless.class, "v1");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BadName {

		@Bean
		static ReflectedResourceRegistration<Crate> crates() {
			return ReflectedResourceRegistration.of(Crate.class, "v1").withName("a/b");
		}

	}

	record Poem(String title) {

	}

	@Configuration(proxyBeanMethods = false)
	static class TwoPolled {

		@Bean
		static ReflectedResourceRegistration<Poem> eastern() {
			return ReflectedResourceRegistration.of(Poem.class, "example.com/v1").withName("eastern-poems");
		}

		@Bean
		static ReflectedResourceRegistration<Poem> western() {
			return ReflectedResourceRegistration.of(Poem.class, "example.com/v1").withName("western-poems");
		}

		@Bean
		@Qualifier("eastern-poems")
		static PollingListerWatcher<Poem> easternSource() {
			return PollingListerWatcher.of(Duration.ofHours(1), () -> List.of(new Poem("Ozymandias")), Poem::title);
		}

		@Bean
		@Qualifier("western-poems")
		static PollingListerWatcher<Poem> westernSource() {
			return PollingListerWatcher.of(Duration.ofHours(1), () -> List.of(new Poem("Kubla Khan")), Poem::title)
				.withNamespace((poem) -> "west");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Polled {

		@Bean
		static ReflectedResourceRegistration<Poem> poems() {
			return ReflectedResourceRegistration.of(Poem.class, "example.com/v1");
		}

		@Bean
		static ListerWatcher<Poem> source() {
			return PollingListerWatcher.of(Duration.ofHours(1), () -> List.of(new Poem("Ozymandias")), Poem::title);
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PrimaryPolled {

		@Bean
		@Primary
		static PollingListerWatcher<Poem> primarySource() {
			return PollingListerWatcher.of(Duration.ofHours(1), () -> List.of(new Poem("Kubla Khan")), Poem::title)
				.withNamespace((poem) -> "west");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class PolledCrates {

		@Bean
		static ReflectedResourceRegistration<Crate> polled() {
			return ReflectedResourceRegistration.of(Crate.class, "v1").withName("polled-crates");
		}

		@Bean
		@Qualifier("polled-crates")
		static PollingListerWatcher<Crate> polledSource() {
			return PollingListerWatcher.of(Duration.ofHours(1), List::of, (crate) -> crate.metadata().name());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class WrappedCrates {

		@Bean
		static ListerWatcher<Crate> easternOrders(PollingListerWatcher<Crate> source) {
			return new DelegatingListerWatcher<>(source) {

			};
		}

	}

}
