package dev.reflector.autoconfigure.internal.registration;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;

import dev.reflector.GenericResource;
import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceKey;
import dev.reflector.ResourceType;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.actuate.tracing.ReflectorObservations;
import dev.reflector.autoconfigure.ReflectedResourceScan;
import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.autoconfigure.ReflectorWritesAutoConfiguration;
import dev.reflector.autoconfigure.ReflectorsEndpointAutoConfiguration;
import dev.reflector.autoconfigure.ReflectorsHealthContributorAutoConfiguration;
import dev.reflector.autoconfigure.ReflectorsMetricsAutoConfiguration;
import dev.reflector.autoconfigure.ReflectorsObservationAutoConfiguration;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.hidden.HiddenConfiguration;
import dev.reflector.autoconfigure.fixture.hidden.ParcelService;
import dev.reflector.autoconfigure.fixture.writes.SiteSettings;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.Ownership;
import dev.reflector.cache.handler.RelistReason;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.event.NewLeaderEvent;
import dev.reflector.event.ReflectorRelistEvent;
import dev.reflector.event.ReflectorStateChangedEvent;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeadLetterEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import dev.reflector.event.ResourceEventStream;
import dev.reflector.event.ResourceUpdatedEvent;
import dev.reflector.event.ShardAcquiredEvent;
import dev.reflector.event.ShardReleasedEvent;
import dev.reflector.event.ShardsUnownedEvent;
import dev.reflector.event.StartedLeadingEvent;
import dev.reflector.event.StoppedLeadingEvent;
import dev.reflector.fixture.LongFormOnly;
import dev.reflector.write.AppliedMeta;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import org.eclipse.jetty.reactive.client.ReactiveRequest;
import org.junit.jupiter.api.Test;
import reactor.netty.http.client.HttpClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.ObjectNode;

import org.springframework.aot.generate.GeneratedFiles;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeReference;
import org.springframework.aot.hint.annotation.ReflectiveRuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.event.EventListener;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.ResolvableType;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorBeansAotProcessor}, with a mirrored type that is not public.
 */
class ReflectorBeansAotProcessorTests {

	private static final String PARCEL = "dev.reflector.autoconfigure.fixture.hidden.Parcel";

	@Test
	@CompileWithForkedClassLoader
	void generatedContextHasTheBeansOfTheScan() {
		TestGenerationContext generation = new TestGenerationContext();
		ClassName initializer;
		try (GenericApplicationContext context = new AnnotationConfigApplicationContext()) {
			((AnnotationConfigApplicationContext) context).register(Application.class);
			withoutServer(context);
			TestPropertyValues.of("reflector.resources.pods.plural=not-yet").applyTo(context);
			initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		generation.writeGeneratedContent();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				withoutServer(context);
				TestPropertyValues
					.of("reflector.resources.pods.plural=podz", "reflector.resources.latecomers.api-version=v1",
							"reflector.resources.latecomers.kind=Latecomer")
					.applyTo(context);
				initialize(compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()), context);
				context.refresh();
				ParcelService service = context.getBean(ParcelService.class);
				assertThat(service.reflector().name()).isEqualTo("parcels");
				assertThat(service.parcels().list()).isEmpty();
				assertThat(context.getBeanNamesForType(generic(Reflector.class))).containsExactly("parcelReflector");
				assertThat(context.getBeanNamesForType(generic(Lister.class))).containsExactly("parcelLister");
				Reflector<?> pods = context.getBean("podsReflector", Reflector.class);
				assertThat(pods.resourceType()).isEqualTo(ResourceType.of("v1", "Pod", "podz"));
				assertThat(((Lister<?>) context.getBean("podsLister")).list()).isEmpty();
				assertThat(context.getBean(PodConsumer.class).pods).isSameAs(context.getBean("podsLister"));
				assertThat(context.containsBean("latecomersReflector")).isFalse();
				assertThat(context.getBean("cratesReflector", Reflector.class).name()).isEqualTo("crates");
				assertThat(((Lister<?>) context.getBean("cratesLister")).list()).isEmpty();
				assertThat(context.getBeanNamesForType(generic(ResourceEventStream.class)))
					.containsExactly("parcelEventStream");
				assertThat(context.getBean(ReflectorLifecycle.class).isRunning()).isTrue();
				assertThat(qualifier(context, "parcelLister")).isEqualTo("parcels");
				assertThat(qualifier(context, "cratesLister")).isEqualTo("crates");
				assertThat(context.getBean(ReflectorsEndpoint.class).reflectors().reflectors()).containsKey("parcels");
				assertThat(context.getBean(CompositeHealthContributor.class).getContributor("parcels")).isNotNull();
				assertThat(context.getBean(MeterRegistry.class).get("reflector.store.size").gauge().value()).isZero();
			}
		});
		for (String type : new String[] { PARCEL, PARCEL + "$Content", "dev.reflector.ObjectMeta",
				Crate.class.getName() }) {
			assertThat(RuntimeHintsPredicates.reflection()
				.onType(TypeReference.of(type))
				.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).as(type)
				.accepts(generation.getRuntimeHints());
		}
	}

	@Test
	@LongFormOnly
	@CompileWithForkedClassLoader
	void generatedContextOfAnApplicationThatOnlyRegistersIsObserved() {
		TestGenerationContext generation = new TestGenerationContext();
		ClassName initializer;
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(Registering.class);
			TestPropertyValues.of(ReflectorContextRunners.NO_SERVER).applyTo(context);
			initializer = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		generation.writeGeneratedContent();
		TestCompiler.forSystem().with(generation).compile((compiled) -> {
			try (GenericApplicationContext context = new GenericApplicationContext()) {
				TestPropertyValues.of(ReflectorContextRunners.NO_SERVER).applyTo(context);
				initialize(compiled.getInstance(ApplicationContextInitializer.class, initializer.toString()), context);
				context.refresh();
				assertThat(context.getBean(CompositeHealthContributor.class).getContributor("crates")).isNotNull();
				assertThat(context.getBean(MeterRegistry.class)
					.get("reflector.store.size")
					.tag("reflector", "crates")
					.gauge()
					.value()).isZero();
				assertThat(context.getBean(ReflectorObservations.class)).isNotNull();
			}
		});
	}

	@Test
	void theTreeOfTypesWithoutAClassIsHinted() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectorHints(hints.reflection()).registerMirrored(GenericResource.class);
		for (Class<?> node : List.of(JsonNode.class, ObjectNode.class, IntNode.class)) {
			assertThat(RuntimeHintsPredicates.reflection()
				.onType(node)
				.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints);
		}
	}

	@Test
	void theSuperclassOfRecordsIsHinted() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectorHints(hints.reflection()).registerMirrored(Crate.class);
		for (Class<?> type : List.of(Crate.class, Record.class)) {
			assertThat(RuntimeHintsPredicates.reflection()
				.onType(type)
				.withMemberCategories(MemberCategory.INVOKE_DECLARED_METHODS, MemberCategory.ACCESS_DECLARED_FIELDS,
						MemberCategory.INVOKE_DECLARED_CONSTRUCTORS))
				.as(type.getName())
				.accepts(hints);
		}
	}

	@Test
	void whatIsCalledReflectivelyIsHinted() {
		TestGenerationContext generation = new TestGenerationContext();
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(Foreign.class);
			withoutServer(context);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		RuntimeHints hints = generation.getRuntimeHints();
		assertThat(List.of(Model.class, Base.class, FluentMetadata.class)).allSatisfy((type) -> {
			assertThat(RuntimeHintsPredicates.reflection()
				.onType(type)
				.withMemberCategories(MemberCategory.INVOKE_DECLARED_METHODS, MemberCategory.ACCESS_DECLARED_FIELDS))
				.accepts(hints);
		});
		assertThat(List.of(ResourceEvent.class, ResourceAddedEvent.class, ResourceUpdatedEvent.class,
				ResourceDeletedEvent.class, ResourceDeadLetterEvent.class, ReflectorSyncedEvent.class,
				ReflectorStateChangedEvent.class, ReflectorRelistEvent.class, ResourceKey.class, ReflectorState.class,
				RelistReason.class, Change.Cause.class, SharedInformer.class, Ownership.class,
				StartedLeadingEvent.class, StoppedLeadingEvent.class, NewLeaderEvent.class, ShardAcquiredEvent.class,
				ShardReleasedEvent.class, ShardsUnownedEvent.class))
			.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection()
				.onType(type)
				.withMemberCategory(MemberCategory.INVOKE_PUBLIC_METHODS)).accepts(hints));
		assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(listener())).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(HttpClient.class)).accepts(hints);
		assertThat(RuntimeHintsPredicates.reflection().onType(ReactiveRequest.class)).accepts(hints);
	}

	@Test
	void whatIsAppliedIsHinted() {
		TestGenerationContext generation = new TestGenerationContext();
		try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
			context.register(Writing.class);
			withoutServer(context);
			new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
		}
		RuntimeHints hints = generation.getRuntimeHints();
		assertThat(List.of(SiteSettings.class, SiteSettings.Spec.class, AppliedMeta.class, AppliedMeta.Owner.class))
			.allSatisfy((type) -> assertThat(RuntimeHintsPredicates.reflection().onType(type)).accepts(hints));
		generation.writeGeneratedContent();
		assertThat(generation.getGeneratedFiles().getGeneratedFiles(GeneratedFiles.Kind.SOURCE).keySet())
			.anyMatch((file) -> file.contains("AppliedResourceTypes"));
	}

	/** The signature of the endpoint's operation does not name this type. */
	@Test
	void whatTheEndpointAnswersIsHinted() {
		RuntimeHints hints = new RuntimeHints();
		new ReflectiveRuntimeHintsRegistrar().registerRuntimeHints(hints, ReflectorsEndpoint.class);
		assertThat(RuntimeHintsPredicates.reflection()
			.onType(TypeReference.of(ReflectorsEndpoint.class.getPackageName() + ".ConsistencyDescriptor"))
			.withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)).accepts(hints);
	}

	private static Method listener() {
		return Objects.requireNonNull(ReflectionUtils.findMethod(Listener.class, "on", ResourceEvent.class));
	}

	@SuppressWarnings("unchecked")
	private static void initialize(ApplicationContextInitializer<?> initializer, GenericApplicationContext context) {
		((ApplicationContextInitializer<GenericApplicationContext>) initializer).initialize(context);
	}

	private static ResolvableType generic(Class<?> beanType) {
		try {
			return ResolvableType.forClassWithGenerics(beanType, Class.forName(PARCEL));
		}
		catch (ClassNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Object qualifier(GenericApplicationContext context, String bean) {
		RootBeanDefinition definition = (RootBeanDefinition) context.getBeanDefinition(bean);
		return Objects.requireNonNull(definition.getQualifiedElement()).getAnnotation(Qualifier.class).value();
	}

	private static void withoutServer(GenericApplicationContext context) {
		TestPropertyValues.of(ReflectorContextRunners.NO_SERVER)
			.and("management.endpoints.jmx.exposure.include=reflectors", "spring.jmx.enabled=true",
					"reflector.resources.pods.api-version=v1", "reflector.resources.pods.kind=Pod")
			.applyTo(context);
	}

	@Configuration(proxyBeanMethods = false)
	@ReflectedResourceScan(basePackageClasses = SiteSettings.class)
	@ImportAutoConfiguration({ ReflectorAutoConfiguration.class, ReflectorWritesAutoConfiguration.class })
	static class Writing {

	}

	@Configuration(proxyBeanMethods = false)
	@Import({ HiddenConfiguration.class, PodConsumer.class })
	@ImportAutoConfiguration({ ReflectorAutoConfiguration.class, ReflectorsEndpointAutoConfiguration.class,
			ReflectorsHealthContributorAutoConfiguration.class, ReflectorsMetricsAutoConfiguration.class,
			MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
			SimpleMetricsExportAutoConfiguration.class })
	static class Application {

		@Bean
		static ReflectedResourceRegistration<Crate> crates() {
			return ReflectedResourceRegistration.of(Crate.class, "v1");
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ ReflectorAutoConfiguration.class, ReflectorsHealthContributorAutoConfiguration.class,
			ReflectorsMetricsAutoConfiguration.class, ReflectorsObservationAutoConfiguration.class,
			MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
			SimpleMetricsExportAutoConfiguration.class })
	static class Registering {

		@Bean
		static ReflectedResourceRegistration<Crate> crates() {
			return ReflectedResourceRegistration.of(Crate.class, "v1");
		}

		@Bean
		ObservationRegistry observationRegistry() {
			return ObservationRegistry.create();
		}

	}

	record Crate(ObjectMeta metadata) {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(Listener.class)
	@ImportAutoConfiguration(ReflectorAutoConfiguration.class)
	static class Foreign {

		@Bean
		static ReflectedResourceRegistration<Model> models() {
			return ReflectedResourceRegistration.of(Model.class, "v1");
		}

	}

	/** Like classes of other clients, with inherited and fluent accessors. */
	abstract static class Base {

		private FluentMetadata metadata = new FluentMetadata();

		public FluentMetadata getMetadata() {
			return this.metadata;
		}

		public void setMetadata(FluentMetadata metadata) {
			this.metadata = metadata;
		}

	}

	static class Model extends Base {

	}

	static class FluentMetadata {

		String name() {
			return "";
		}

		String resourceVersion() {
			return "";
		}

	}

	static class Listener {

		@EventListener(condition = "#root.event.key().name() == 'a'")
		void on(ResourceEvent<Model> event) {
		}

	}

	static class PodConsumer {

		final Lister<GenericResource> pods;

		PodConsumer(@Qualifier("pods") Lister<GenericResource> pods) {
			this.pods = pods;
		}

	}

}
