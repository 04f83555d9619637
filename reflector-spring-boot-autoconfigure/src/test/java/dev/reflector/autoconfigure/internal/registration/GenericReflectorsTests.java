package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.reflector.GenericResource;
import dev.reflector.Lister;
import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.registration.ReflectedResourceTypes;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.event.ResourceAddedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of reflectors that only properties define.
 */
@ExtendWith(OutputCaptureExtension.class)
class GenericReflectorsTests {

	private static final String[] TWO = { "reflector.resources.certificates.api-version=cert-manager.io/v1",
			"reflector.resources.certificates.kind=Certificate", "reflector.resources.certificates.plural=certs",
			"reflector.resources.certificates.namespaces=a,b", "reflector.resources.certificates.resync-period=1h",
			"reflector.resources.my-pods.api-version=v1", "reflector.resources.my-pods.kind=Pod" };

	private final ApplicationContextRunner runner = ReflectorContextRunners.withTypesNextTo(Widget.class);

	@Test
	void areInjectedByTheirNames() {
		this.runner.withPropertyValues(TWO).withUserConfiguration(Consumer.class).run((context) -> {
			Consumer consumer = context.getBean(Consumer.class);
			assertThat(consumer.certificates.name()).isEqualTo("certificates");
			assertThat(consumer.certificates.resourceType())
				.isEqualTo(ResourceType.of("cert-manager.io/v1", "Certificate", "certs"));
			assertThat(consumer.certificates.namespaces()).containsExactly("a", "b");
			assertThat(consumer.pods).isSameAs(context.getBean("my-podsLister")).isNotSameAs(consumer.byFieldName);
			assertThat(consumer.byFieldName).isSameAs(context.getBean("certificatesLister"));
			assertThat(context.getBeansOfType(Reflector.class)).containsOnlyKeys("widgetReflector",
					"certificatesReflector", "my-podsReflector");
			assertThat(context.getBean(ReflectedResourceTypes.class).list()).containsExactlyInAnyOrder(
					ResourceType.of("example.com/v1", "Widget", "widgets"),
					ResourceType.of("cert-manager.io/v1", "Certificate", "certs"),
					ResourceType.of("v1", "Pod", "pods"));
		});
	}

	@Test
	void aSingleOneNeedsNoName() {
		this.runner
			.withPropertyValues("reflector.resources.pods.api-version=v1", "reflector.resources.pods.kind=Pod",
					"reflector.api-server.namespace=team")
			.withUserConfiguration(Single.class)
			.run((context) -> {
				assertThat(context.getBean(Single.class).reflector.name()).isEqualTo("pods");
				assertThat(context.getBean(Single.class).reflector.namespaces()).containsExactly("team");
			});
	}

	@Test
	void namesFromTheEnvironmentHaveNoDashes() {
		Map<String, Object> variables = Map.of("REFLECTOR_RESOURCES_PODS_APIVERSION", "v1",
				"REFLECTOR_RESOURCES_PODS_KIND", "Pod");
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)))
			.run((context) -> assertThat(context).hasBean("podsReflector"));
	}

	@Test
	void anEnvironmentVariableOverridesOneWithDashesInItsName() {
		Map<String, Object> variables = Map.of("REFLECTOR_RESOURCES_MYPODS_NAMESPACES", "team");
		this.runner.withPropertyValues(TWO)
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", variables)))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(context.getBeansOfType(Reflector.class)).containsOnlyKeys("widgetReflector",
						"certificatesReflector", "my-podsReflector");
				Reflector<?> reflector = context.getBean("my-podsReflector", Reflector.class);
				assertThat(reflector.namespaces()).containsExactly("team");
			});
	}

	@Test
	void annotatedTypeIsOverriddenInsteadOfDoubled() {
		this.runner
			.withPropertyValues("reflector.resources.WID-GETS.api-version=v2",
					"reflector.resources.WID-GETS.kind=Gadget")
			.run((context) -> assertThat(context.getBean(Reflector.class).resourceType())
				.isEqualTo(ResourceType.of("v2", "Gadget", null)));
	}

	@Test
	void disabledOneIsNotStarted() {
		this.runner.withPropertyValues(TWO)
			.withPropertyValues("reflector.resources.my-pods.enabled=false",
					"reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> assertThat(
					ReflectorFactory.idleReason(context.getSourceApplicationContext().getBeanFactory(),
							context.getBean("my-podsReflector", Reflector.class)))
				.contains("reflector.resources.my-pods.enabled"));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			kind=Pod       | 'api-version' is missing
			api-version=v1 | 'kind' is missing
			plural=pods    | 'api-version' and 'kind' are missing
			""")
	void incompleteOneIsNamed(String setting, String missing, CapturedOutput output) {
		this.runner.withPropertyValues("reflector.resources.pods." + setting).run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(context).doesNotHaveBean("podsReflector");
		});
		assertThat(output).containsOnlyOnce("'reflector.resources.pods' has no effect: there is no reflector of that "
				+ "name, only [widgets]; to mirror a type without a class, " + missing);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
			pods            | a/b/c | 'reflector.resources.pods' cannot be mirrored: 'a/b/c' is not an API version
			pods            | apps.io | 'reflector.resources.pods' cannot be mirrored: 'apps.io' is not an API version
			widget          | v1    | The bean 'widgetReflector' of 'reflector.resources.widget' cannot be registered
			[-pods]         | v1    | '-pods' is not a valid name of a reflector
			""")
	void impossibleOneFailsTheStart(String name, String apiVersion, String message) {
		this.runner
			.withPropertyValues("reflector.resources." + name + ".api-version=" + apiVersion,
					"reflector.resources." + name + ".kind=Pod")
			.run((context) -> assertThat(context).getFailure().hasStackTraceContaining(message));
	}

	@Test
	void metadataAloneIsNotForTypesThatDeclareMore() {
		this.runner
			.withPropertyValues("reflector.resources.widgets.metadata-only=true",
					"reflector.api-server.url=http://127.0.0.1:1")
			.run((context) -> assertThat(context).getFailure()
				.hasStackTraceContaining("The reflector 'widgets' cannot be made")
				.hasStackTraceContaining(Widget.class.getName() + " declares more than metadata"));
	}

	@Test
	void ownListerWatcherAndEventsAreTypedLikeAnyOther() {
		this.runner.withPropertyValues(TWO)
			.withPropertyValues("reflector.resources.certificates.namespaces=")
			.withUserConfiguration(Source.class)
			.run((context) -> {
				Source source = context.getBean(Source.class);
				await().atMost(Duration.ofSeconds(20)).until(() -> source.events.contains("certificates a initial"));
				assertThat(context.getBean("my-podsReflector", Reflector.class).hasSynced()).isFalse();
				await().atMost(Duration.ofSeconds(20)).until(() -> source.certificates().watches() == 1);
				source.certificates().emit(new WatchEvent.Added<>(certificate("b", "11")));
				await().atMost(Duration.ofSeconds(20)).until(() -> source.events.contains("certificates b"));
				assertThat(context.getBean("certificatesLister", Lister.class).size()).isEqualTo(2);
			});
	}

	private static GenericResource certificate(String name, String version) {
		ObjectMeta plain = ObjectMeta.of("default", name);
		return new GenericResource(
				new ObjectMeta(name, "default", null, version, 0, plain.labels(), plain.annotations(), null, null,
						plain.finalizers(), plain.ownerReferences()),
				JsonMapper.shared().createObjectNode().put("kind", "Certificate"));
	}

	@Configuration(proxyBeanMethods = false)
	static class Consumer {

		private final Reflector<GenericResource> certificates;

		private final Lister<GenericResource> pods;

		private final Lister<GenericResource> byFieldName;

		Consumer(@Qualifier("certificates") Reflector<GenericResource> certificates,
				@Qualifier("my-pods") Lister<GenericResource> pods, Lister<GenericResource> certificatesLister) {
			this.certificates = certificates;
			this.pods = pods;
			this.byFieldName = certificatesLister;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Single {

		private final Reflector<GenericResource> reflector;

		Single(Reflector<GenericResource> reflector) {
			this.reflector = reflector;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Source {

		private final Queue<String> events = new ConcurrentLinkedQueue<>();

		private final InMemoryListerWatcher<GenericResource> certificates = new InMemoryListerWatcher<>(
				List.of(certificate("a", "1")));

		@Bean
		@Qualifier("certificates")
		ListerWatcher<GenericResource> ownSource() {
			return this.certificates;
		}

		InMemoryListerWatcher<GenericResource> certificates() {
			return this.certificates;
		}

		@EventListener
		void added(ResourceAddedEvent<GenericResource> event) {
			this.events.add(event.reflectorName() + " " + event.resource().metadata().name()
					+ (event.initialList() ? " initial" : ""));
		}

	}

}
