package dev.reflector.autoconfigure;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.reflector.Lister;
import dev.reflector.Reflector;
import dev.reflector.ReflectorState;
import dev.reflector.ResourceType;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.internal.connection.ApiServerConnection;
import dev.reflector.autoconfigure.internal.hierarchy.ReflectorsHealth;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorStartupRunner;
import dev.reflector.autoconfigure.registration.RbacManifest;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.config.SystemTimeSource;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.informer.SharedInformer;
import dev.reflector.cache.source.MetadataAccessor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.module.SimpleModule;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.ConfigurationPropertiesBindException;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application without reflectors does not make what only reflectors need.
 */
class LeanStartTests {

	private static final List<String> ON_DEMAND = List.of("reflectorConnectionDetails", "reflectorApiServerConnection",
			"reflectorDecodeScheduler", "reflectorTaskExecutor", "reflectorTimeSource", "reflectorFactory",
			"reflectedResourceTypes", "reflectorRbacManifest");

	private final ApplicationContextRunner nothing = ReflectorContextRunners.withTypesIn("dev.reflector.nothing.here");

	@Test
	void nothingIsMadeForNothing() {
		this.nothing.run((context) -> {
			assertThat(context).hasNotFailed();
			assertThat(made(context)).doesNotContainAnyElementsOf(ON_DEMAND).doesNotContain(propertiesName(context));
		});
	}

	@Test
	void nothingIsMadeWhenItStopsEither() {
		this.nothing.run((context) -> {
			context.getBean(ReflectorLifecycle.class).stop();
			context.getBean(ReflectorStartupRunner.class).run(null);
			assertThat(made(context)).doesNotContainAnyElementsOf(ON_DEMAND);
		});
	}

	@Test
	void aReflectorHasEverythingMade() {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.run((context) -> assertThat(made(context)).contains("widgetReflector", "reflectorFactory",
					"reflectorApiServerConnection", "reflectorConnectionDetails", "reflectorTaskExecutor",
					"reflectorTimeSource", propertiesName(context)));
	}

	@Test
	void anApplicationThatDoesNotWriteNeedsNothingOfIt() {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.withClassLoader(new FilteredClassLoader("dev.reflector.write", "dev.reflector.actuate.write",
					"dev.reflector.client.internal.write"))
			.run((context) -> assertThat(context).hasNotFailed().hasBean("widgetReflector"));
	}

	@ParameterizedTest
	@ValueSource(classes = { RegisteredByConfiguration.class, RegisteredLate.class, MadeByHand.class })
	void whateverMirrorsHasEverythingToInject(Class<?> configuration) {
		this.nothing.withUserConfiguration(configuration)
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(Reflector.class)
				.hasSingleBean(TimeSource.class)
				.hasSingleBean(RbacManifest.class)
				.getBeans(Object.class)
				.containsKeys(ON_DEMAND.toArray(String[]::new)));
	}

	@Test
	void aReflectorOfWhichNoDefinitionTellsIsStartedAndStoppedAllTheSame() {
		this.nothing.withUserConfiguration(Hidden.class).run((context) -> {
			assertThat(context).hasNotFailed().hasSingleBean(ReflectorsHealth.class);
			assertThat(made(context)).doesNotContain("reflectorFactory", "reflectorApiServerConnection");
			SharedInformer<?> hidden = context.getBean("hidden", SharedInformer.class);
			assertThat(hidden.status().state()).isNotEqualTo(ReflectorState.STOPPED);
			context.getSourceApplicationContext().stop();
			assertThat(hidden.status().state()).isEqualTo(ReflectorState.STOPPED);
		});
	}

	@Test
	void wrongSettingsFailTheStartAllTheSame() {
		this.nothing.withPropertyValues("reflector.backoff.initial=soon")
			.run((context) -> assertThat(context).hasFailed()
				.getFailure()
				.hasRootCauseInstanceOf(IllegalArgumentException.class)
				.satisfies((failure) -> assertThat(failure).hasStackTraceContaining("reflector.backoff.initial")
					.hasStackTraceContaining(ConfigurationPropertiesBindException.class.getName())));
	}

	@Test
	void worksWithoutJacksonOfSpringBoot() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(ReflectorAutoConfiguration.class))
			.withUserConfiguration(Widgets.class)
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.jackson"))
			.withPropertyValues("reflector.api-server.url=http://localhost:1", "reflector.startup.wait-for-sync=false")
			.run((context) -> {
				assertThat(context).hasNotFailed().hasBean("widgetReflector");
				assertThat(context.getBean(ApiServerConnection.class).client()).isPresent();
			});
	}

	/** Spring looks at all their methods, even when nothing is mirrored. */
	@Test
	void methodsOfTheConfigurationsNameNothingThatOnlyTheClientNeeds() {
		assertThat(Stream.of(ReflectorAutoConfiguration.class, ReflectorFactoryConfiguration.class)
			.flatMap((type) -> Stream.of(type.getDeclaredMethods()))
			.flatMap(
					(method) -> Stream.concat(Stream.of(method.getReturnType()), Stream.of(method.getParameterTypes())))
			.map(Class::getName))
			.isNotEmpty()
			.noneMatch((name) -> name.startsWith("dev.reflector.client.") || name.startsWith("tools.jackson.")
					|| name.startsWith("org.springframework.boot.http.")
					|| name.startsWith("org.springframework.web."));
	}

	@Test
	void readsWithTheModulesOfTheClassPathWhereSpringBootHasNoMapper(@TempDir Path folder) throws IOException {
		Path services = Files.writeString(folder.resolve("services"), DoublingModule.class.getName());
		readsDoubled(new ApplicationContextRunner()
			.withClassLoader(new FilteredClassLoader("org.springframework.boot.jackson") {
				@Override
				public Enumeration<URL> getResources(String name) throws IOException {
					return name.equals("META-INF/services/" + JacksonModule.class.getName())
							? Collections.enumeration(List.of(services.toUri().toURL())) : super.getResources(name);
				}
			}));
	}

	@Test
	void readsWithTheMapperOfSpringBootWhereThereIsOne() throws IOException {
		readsDoubled(new ApplicationContextRunner()
			.withConfiguration(AutoConfigurations.of(JacksonAutoConfiguration.class))
			.withBean(JsonMapperBuilderCustomizer.class, () -> (builder) -> builder.addModule(new DoublingModule())));
	}

	private static void readsDoubled(ApplicationContextRunner runner) throws IOException {
		HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.createContext("/apis/example.com/v1/widgets", LeanStartTests::answer);
		server.start();
		try {
			runner.withConfiguration(AutoConfigurations.of(ReflectorAutoConfiguration.class))
				.withUserConfiguration(Widgets.class)
				.withPropertyValues("reflector.api-server.url=http://localhost:" + server.getAddress().getPort(),
						"reflector.resources.widgets.plural=widgets", "reflector.watch.initial-list=list",
						"reflector.startup.wait-for-sync=false")
				.run((context) -> {
					Lister<?> lister = context.getBean(Lister.class);
					await().untilAsserted(
							() -> assertThat(lister.list()).singleElement().extracting("size").isEqualTo(14));
				});
		}
		finally {
			server.stop(0);
		}
	}

	private static void answer(HttpExchange exchange) throws IOException {
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		if (exchange.getRequestURI().getQuery().contains("watch=")) {
			// sends nothing, and stays open until the server stops
			exchange.sendResponseHeaders(200, 0);
			exchange.getResponseBody().flush();
			return;
		}
		byte[] list = """
				{"kind": "WidgetList", "apiVersion": "example.com/v1", "metadata": {"resourceVersion": "1"},
				 "items": [{"metadata": {"name": "a", "resourceVersion": "1"}, "size": 7}]}""".getBytes(UTF_8);
		exchange.sendResponseHeaders(200, list.length);
		exchange.getResponseBody().write(list);
		exchange.close();
	}

	private static List<String> made(AssertableApplicationContext context) {
		ConfigurableListableBeanFactory beanFactory = context.getSourceApplicationContext().getBeanFactory();
		return List.of(beanFactory.getSingletonNames());
	}

	private static String propertiesName(AssertableApplicationContext context) {
		return context.getBeanNamesForType(ReflectorProperties.class)[0];
	}

	@Configuration(proxyBeanMethods = false)
	@ReflectedResourceScan(basePackageClasses = Widget.class)
	static class Widgets {

	}

	@Configuration(proxyBeanMethods = false)
	static class RegisteredByConfiguration {

		@Bean
		static ReflectedResourceRegistration<Widget> widgets() {
			return ReflectedResourceRegistration.of(Widget.class, "example.com/v1");
		}

	}

	/** A post-processor registers it, after all conditions were evaluated. */
	@Configuration(proxyBeanMethods = false)
	static class RegisteredLate {

		@Bean
		static BeanDefinitionRegistryPostProcessor late() {
			return (registry) -> registry.registerBeanDefinition("widgets",
					new RootBeanDefinition(ReflectedResourceRegistration.class,
							() -> ReflectedResourceRegistration.of(Widget.class, "example.com/v1")));
		}

	}

	/** A configuration with the injected clock and threads of the library. */
	@Configuration(proxyBeanMethods = false)
	static class MadeByHand {

		@Bean
		SharedInformer<Widget> byHand(TimeSource time, @Qualifier("reflectorTaskExecutor") Executor threads) {
			return SharedInformer
				.builder("by-hand", new InMemoryListerWatcher<>(List.of()), MetadataAccessor.forType(Widget.class))
				.resourceType(ResourceType.of("example.com/v1", "Widget", "widgets"))
				.time(time)
				.threads(threads)
				.build();
		}

	}

	/** A bean whose type is known only after it was created. */
	@Configuration(proxyBeanMethods = false)
	static class Hidden {

		@Bean
		static Object hidden() {
			return new MadeByHand().byHand(new SystemTimeSource(), (task) -> {
				Thread thread = new Thread(task);
				thread.setDaemon(true);
				thread.start();
			});
		}

	}

	/** A module of Jackson on the class path. */
	@SuppressWarnings("serial")
	public static final class DoublingModule extends SimpleModule {

		public DoublingModule() {
			addDeserializer(int.class, new ValueDeserializer<>() {
				@Override
				public Integer deserialize(JsonParser parser, DeserializationContext context) {
					return 2 * parser.getIntValue();
				}
			});
		}

	}

}
