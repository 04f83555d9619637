package dev.reflector.autoconfigure;

import java.util.Set;
import java.util.stream.Stream;

import dev.reflector.actuate.endpoint.ReactiveReflectorsEndpointWebExtension;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.actuate.endpoint.ReflectorsEndpointWebExtension;
import dev.reflector.autoconfigure.fixture.ReflectorContextRunners;
import dev.reflector.autoconfigure.fixture.empty.Nothing;
import dev.reflector.autoconfigure.fixture.widgets.Widget;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import org.junit.jupiter.api.Test;

import org.springframework.boot.actuate.autoconfigure.endpoint.EndpointAutoConfiguration;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration;
import org.springframework.boot.actuate.endpoint.Show;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReflectorsEndpointAutoConfiguration}.
 */
class ReflectorsEndpointAutoConfigurationTests {

	private final ApplicationContextRunner runner = ReflectorContextRunners
		.withActuator(ReflectorContextRunners.withTypesNextTo(Widget.class));

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnClass ConditionalOnAvailableEndpoint", holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnAvailableEndpoint ReflectorsEndpoint", holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnBean ReflectorLifecycle",
			holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnMissingBean ReflectorsEndpoint",
			holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReflectorsEndpointWebExtension, ReactiveReflectorsEndpointWebExtension",
			holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnWebApplication", holds = false)
	void endpointIsThereWhenExposed() {
		ReflectorContextRunners.withTypesNextTo(Nothing.class)
			.withPropertyValues("management.endpoints.web.exposure.include=reflectors")
			.run((context) -> assertThat(context).hasSingleBean(ReflectorsEndpoint.class)
				.hasSingleBean(ReflectorsEndpointWebExtension.class));
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnAvailableEndpoint ReflectorsEndpoint", holds = false)
	void endpointThatIsNotExposed() {
		this.runner.withPropertyValues("management.endpoints.web.exposure.include=health")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsEndpoint"));
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnClass ConditionalOnAvailableEndpoint", holds = false)
	void withoutActuator() {
		this.runner.withClassLoader(new FilteredClassLoader(ConditionalOnAvailableEndpoint.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("reflectorsEndpoint"));
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnMissingBean ReflectorsEndpoint",
			holds = false)
	void ownEndpoint() {
		this.runner.withBean("own", ReflectorsEndpoint.class, () -> new ReflectorsEndpoint(Stream::empty))
			.run((context) -> assertThat(context).hasNotFailed().hasBean("own").doesNotHaveBean("reflectorsEndpoint"));
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class, condition = "ConditionalOnWebApplication", holds = true)
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReactiveReflectorsEndpointWebExtension", holds = true)
	void reactiveWebExtension() {
		reactive().run((context) -> assertThat(context).hasNotFailed()
			.hasSingleBean(ReactiveReflectorsEndpointWebExtension.class)
			.doesNotHaveBean(ReflectorsEndpointWebExtension.class));
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReactiveReflectorsEndpointWebExtension", holds = false)
	void ownReactiveWebExtension() {
		reactive()
			.withBean("own", ReactiveReflectorsEndpointWebExtension.class,
					() -> new ReactiveReflectorsEndpointWebExtension(new ReflectorsEndpoint(Stream::empty), Show.ALWAYS,
							Set.of()))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reflectorsEndpointWebExtension")
				.doesNotHaveBean(ReflectorsEndpointWebExtension.class));
	}

	@Test
	@Covers(in = ReflectorsEndpointAutoConfiguration.class,
			condition = "ConditionalOnMissingBean ReflectorsEndpointWebExtension, "
					+ "ReactiveReflectorsEndpointWebExtension",
			holds = false)
	void ownWebExtension() {
		this.runner
			.withBean("own", ReflectorsEndpointWebExtension.class,
					() -> new ReflectorsEndpointWebExtension(new ReflectorsEndpoint(Stream::empty), Show.ALWAYS,
							Set.of()))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasBean("own")
				.doesNotHaveBean("reflectorsEndpointWebExtension"));
	}

	@Test
	void aWebFluxChildHasTheEndpointInPlaceOfThatOfItsParent() {
		this.runner.run((parent) -> reactive().withParent(parent)
			.withConfiguration(
					AutoConfigurations.of(EndpointAutoConfiguration.class, WebEndpointAutoConfiguration.class))
			.run((child) -> assertThat(child.getBean(WebEndpointsSupplier.class).getEndpoints())
				.extracting((endpoint) -> endpoint.getEndpointId().toString())
				.containsExactly("reflectors")));
	}

	private static ReactiveWebApplicationContextRunner reactive() {
		return new ReactiveWebApplicationContextRunner()
			.withConfiguration(
					AutoConfigurations.of(ReflectorAutoConfiguration.class, ReflectorsEndpointAutoConfiguration.class))
			.withPropertyValues(ReflectorContextRunners.NO_SERVER)
			.withPropertyValues("management.endpoints.web.exposure.include=*");
	}

}
