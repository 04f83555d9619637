package dev.reflector.test.context;

import dev.reflector.GenericResource;
import dev.reflector.Reflector;
import dev.reflector.autoconfigure.ReflectorAutoConfiguration;
import dev.reflector.autoconfigure.registration.ReflectedResourceRegistration;
import dev.reflector.cache.source.ListOptions;
import dev.reflector.cache.source.ListPage;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.WatchEvent;
import dev.reflector.cache.source.WatchOptions;
import dev.reflector.test.fixture.Zone;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ObservedReflectors}.
 */
class ObservedReflectorsTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ReflectorAutoConfiguration.class))
		.withUserConfiguration(Sources.class)
		.withPropertyValues("reflector.api-server.url=http://127.0.0.1:1", "reflector.startup.wait-for-sync=false");

	@Test
	void aSourceOfAnotherReflectorOfTheTypeIsNoOwnSource() {
		this.runner
			.withPropertyValues("reflector.resources.deployments.api-version=apps/v1",
					"reflector.resources.deployments.kind=Deployment", "reflector.resources.topics.api-version=v1",
					"reflector.resources.topics.kind=Topic")
			.run((context) -> {
				assertThat(observed(context).running()).extracting(Reflector::name)
					.containsExactlyInAnyOrder("zones", "western-zones", "deployments", "topics");
				assertThat(observed(context).followingTheServer()).extracting(Reflector::name)
					.containsExactlyInAnyOrder("zones", "deployments");
			});
	}

	private static ObservedReflectors observed(AssertableApplicationContext context) {
		return new ObservedReflectors(context.getBeanProvider(ResolvableType.forClass(Reflector.class)),
				context.getSourceApplicationContext().getBeanFactory());
	}

	@Configuration(proxyBeanMethods = false)
	static class Sources {

		@Bean
		static ReflectedResourceRegistration<Zone> zones() {
			return ReflectedResourceRegistration.of(Zone.class, "v1").withName("zones");
		}

		@Bean
		static ReflectedResourceRegistration<Zone> western() {
			return ReflectedResourceRegistration.of(Zone.class, "v1").withName("western-zones");
		}

		@Bean
		@Qualifier("western-zones")
		ListerWatcher<Zone> westernZones() {
			return new Silent<>();
		}

		@Bean
		@Qualifier("topics")
		ListerWatcher<GenericResource> topicSource() {
			return new Silent<>();
		}

	}

	/** A source that never answers. */
	private static final class Silent<T> implements ListerWatcher<T> {

		@Override
		public Mono<ListPage<T>> list(ListOptions options) {
			return Mono.never();
		}

		@Override
		public Flux<WatchEvent<T>> watch(WatchOptions options) {
			return Flux.never();
		}

	}

}
