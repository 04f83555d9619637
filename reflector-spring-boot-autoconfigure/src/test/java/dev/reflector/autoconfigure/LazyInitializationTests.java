package dev.reflector.autoconfigure;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.reflector.ObjectMeta;
import dev.reflector.Reflector;
import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.event.ResourceEvent;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that with {@code spring.main.lazy-initialization=true} the same beans start as
 * without it.
 */
class LazyInitializationTests {

	@Test
	void reflectorsStartAndAllListenersHear() {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		application.setRegisterShutdownHook(false);
		List<String> heard = new CopyOnWriteArrayList<>();
		application.addInitializers((context) -> context.getBeanFactory().registerSingleton("heard", heard));
		try (ConfigurableApplicationContext context = application.run("--spring.main.lazy-initialization=true",
				"--KUBECONFIG=", "--user.home=/nonexistent", "--KUBERNETES_SERVICE_HOST=")) {
			assertThat(context.getBeanFactory().getBeanDefinition("unused").isLazyInit()).isTrue();
			assertThat(context.getBean("widgetReflector", Reflector.class).hasSynced())
				.as("the start has waited for it")
				.isTrue();
			await().untilAsserted(() -> assertThat(heard).containsExactlyInAnyOrder("method a", "bean a", "handler a"));
		}
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(ReflectorAutoConfiguration.class)
	@ReflectedResourceScan(basePackageClasses = Widget.class)
	static class Application {

		private final List<String> heard;

		Application(List<String> heard) {
			this.heard = heard;
		}

		@Bean
		ListerWatcher<Widget> source() {
			ObjectMeta metadata = new ObjectMeta("a", "default", null, "1", 0, null, null, null, null, null, null);
			return new InMemoryListerWatcher<>(List.of(new Widget(metadata, 1)));
		}

		@EventListener
		void on(ResourceEvent<Widget> event) {
			this.heard.add("method " + event.key().name());
		}

		@Bean
		ApplicationListener<ResourceEvent<Widget>> listener() {
			return (event) -> this.heard.add("bean " + event.key().name());
		}

		@Bean
		ResourceEventHandler<Widget> handler() {
			return (change) -> this.heard.add("handler " + change.key().name());
		}

		@Bean
		Object unused() {
			throw new IllegalStateException("nobody needs it");
		}

	}

}
