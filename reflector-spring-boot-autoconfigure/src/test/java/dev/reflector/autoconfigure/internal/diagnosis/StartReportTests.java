package dev.reflector.autoconfigure.internal.diagnosis;

import java.util.List;

import dev.reflector.autoconfigure.fixture.InMemoryListerWatcher;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.cache.handler.Change;
import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.event.ReflectorSyncedEvent;
import dev.reflector.event.ResourceAddedEvent;
import dev.reflector.event.ResourceDeletedEvent;
import dev.reflector.event.ResourceEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.context.reactive.GenericReactiveWebApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link StartReport}.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartReportTests {

	@Test
	void saysWhatIsMirroredFromWhereAndForWhom(CapturedOutput output) {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.withUserConfiguration(Listeners.class)
			.withPropertyValues("reflector.api-server.url=http://127.0.0.1:1", "reflector.backoff.initial=1h",
					"reflector.backoff.max=1h", "reflector.resources.widgets.namespaces=blue,green",
					"reflector.resources.pods.api-version=v1", "reflector.resources.pods.kind=Pod",
					"reflector.resources.nodes.api-version=v1", "reflector.resources.nodes.kind=Node",
					"reflector.resources.nodes.enabled=false")
			.run((context) -> {
				assertThat(context).hasNotFailed();
				String listeners = Listeners.class.getName();
				assertThat(lines(output, "Mirrored from http://127.0.0.1:1 ('reflector.api-server.url'):", 5))
					.containsExactlyInAnyOrder(
							"widgets (example.com/v1 Widget, namespaces blue, green): 'bean', " + listeners + ".any, "
									+ listeners + ".raw, " + listeners + ".widget, 'handler'",
							"pods (v1 Pod, all namespaces): " + listeners + ".any, " + listeners + ".raw",
							"nodes (v1 Node, all namespaces): not started",
							"endpoint: no web server, so it cannot be reached: add "
									+ "'org.springframework.boot:spring-boot-starter-webmvc', and set "
									+ "'management.endpoints.web.exposure.include=health,reflectors'");
			});
	}

	private static List<String> lines(CapturedOutput output, String first, int count) {
		return output.getOut()
			.lines()
			.dropWhile((line) -> !line.contains(first))
			.skip(1)
			.limit(count - 1)
			.map(String::strip)
			.toList();
	}

	@Test
	void saysThatNothingIsMirroredAndHowToChangeThat(CapturedOutput output) {
		String add = "No type is mirrored: annotate one with @ReflectedResource ";
		ReflectorContextRunners.withTypesIn("com.example.nothing").run((context) -> {
			assertThat(output).containsOnlyOnce(add + "in com.example.nothing or below, or set "
					+ "'reflector.resources.<name>.api-version' and 'reflector.resources.<name>.kind'");
			ReflectorContextRunners.withoutTypes()
				.run((other) -> assertThat(output)
					.containsOnlyOnce(add + "and add its package to @ReflectedResourceScan, or set"));
		});
	}

	@Test
	void aChildOfAContextThatMirrorsSaysNothing(CapturedOutput output) {
		ReflectorContextRunners.withTypesNextTo(Widget.class)
			.withUserConfiguration(Source.class)
			.run((parent) -> ReflectorContextRunners.withoutTypes()
				.withParent(parent)
				.run((context) -> assertThat(output).doesNotContain("No type is mirrored")
					// a source of the application needs no server
					.containsOnlyOnce("Mirrored:\n  widgets (example.com/v1 Widget, all namespaces): no listener")));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			                                                           | /actuator/reflectors
			local.server.port=80                                       | http://localhost:80/actuator/reflectors
			local.server.port=80,server.address=10.0.0.1               | http://10.0.0.1:80/actuator/reflectors
			local.server.port=80,server.ssl.bundle=a                   | https://localhost:80/actuator/reflectors
			local.server.port=80,server.ssl.bundle=a,server.ssl.enabled=false | http://localhost:80/actuator/reflectors
			local.server.port=80,server.servlet.context-path=/app,spring.mvc.servlet.path=/rest | \
			 http://localhost:80/app/rest/actuator/reflectors
			local.server.port=80,spring.webflux.base-path=/app         | http://localhost:80/app/actuator/reflectors
			local.server.port=80,management.server.port=81,local.management.port=81,server.servlet.context-path=/app | \
			 http://localhost:81/actuator/reflectors
			management.server.port=81,local.management.port=81,management.server.base-path=/ops | \
			 http://localhost:81/ops/actuator/reflectors
			management.server.port=-1                                  | \
			 'management.server.port' is negative, so it cannot be reached
			""", quoteCharacter = '"')
	void theAddressOfTheEndpoint(String properties, String address) {
		assertThat(reachability("management.endpoints.web.exposure.include=*," + properties, "/actuator/reflectors")
			.endpoint()).isEqualTo(address);
	}

	@Test
	void whatIsMissingToReachTheEndpoint() {
		String expose = "not exposed: set 'management.endpoints.web.exposure.include=health,reflectors'";
		assertThat(reachability("", null).endpoint()).isEqualTo(expose);
		assertThat(reachability(
				"management.endpoints.web.exposure.include=reflectors," + "management.endpoints.web.exposure.exclude=*",
				null)
			.endpoint()).isEqualTo(expose);
		assertThat(reachability("management.endpoints.web.exposure.include=reflectors", null).endpoint())
			.startsWith("not there: its access is 'none'");
	}

	private static Reachability reachability(String properties, String path) {
		MockEnvironment environment = new MockEnvironment();
		for (String property : (properties != null) ? properties.split(",") : new String[0]) {
			if (property.contains("=")) {
				environment.setProperty(property.substring(0, property.indexOf('=')),
						property.substring(property.indexOf('=') + 1));
			}
		}
		GenericReactiveWebApplicationContext context = new GenericReactiveWebApplicationContext();
		PathMappedEndpoints endpoints = mock(PathMappedEndpoints.class);
		given(endpoints.getPath(EndpointId.of("reflectors"))).willReturn(path);
		context.setEnvironment(environment);
		context.registerBean(PathMappedEndpoints.class, () -> endpoints);
		context.refresh();
		return new Reachability(context);
	}

	@Configuration(proxyBeanMethods = false)
	static class Source {

		@Bean
		ListerWatcher<Widget> source() {
			return new InMemoryListerWatcher<>(List.of());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Listeners {

		@EventListener
		void widget(ResourceAddedEvent<Widget> event) {
		}

		@EventListener
		void any(ResourceEvent<?> event) {
		}

		@EventListener({ ResourceEvent.class, ReflectorSyncedEvent.class })
		void raw() {
		}

		@EventListener
		void synced(ReflectorSyncedEvent event) {
		}

		@Bean
		ApplicationListener<ResourceDeletedEvent<Widget>> bean() {
			return (event) -> {
			};
		}

		@Bean
		ResourceEventHandler<Widget> handler() {
			return new ResourceEventHandler<>() {

				@Override
				public void onChange(Change<Widget> change) {
				}

			};
		}

	}

}
