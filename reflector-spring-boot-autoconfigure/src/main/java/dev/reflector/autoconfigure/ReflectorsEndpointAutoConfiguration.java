package dev.reflector.autoconfigure;

import dev.reflector.Reflector;
import dev.reflector.actuate.endpoint.ReactiveReflectorsEndpointWebExtension;
import dev.reflector.actuate.endpoint.ReflectorsEndpoint;
import dev.reflector.actuate.endpoint.ReflectorsEndpointWebExtension;
import dev.reflector.autoconfigure.internal.lifecycle.ReflectorLifecycle;
import dev.reflector.autoconfigure.registration.ReflectorNaming;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.Sanitizer;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the {@link ReflectorsEndpoint}. The endpoint exists even
 * without reflectors: an empty answer shows that no annotated type was found.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(ReflectorsEndpoint.class)
@ConditionalOnBean(value = ReflectorLifecycle.class, search = SearchStrategy.CURRENT)
@EnableConfigurationProperties(ReflectorsEndpointProperties.class)
public final class ReflectorsEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReflectorsEndpoint reflectorsEndpoint(ObjectProvider<Reflector<?>> reflectors,
			ObjectProvider<SanitizingFunction> sanitizingFunctions, ReflectorsEndpointProperties properties,
			ApplicationEventPublisher publisher) {
		return new ReflectorsEndpoint(() -> ReflectorNaming.named(reflectors),
				new Sanitizer(sanitizingFunctions.orderedStream().toList()), properties.showValues(), publisher);
	}

	// has the name of the other extension, to replace the one of a parent context:
	// Spring Boot refuses two extensions of an endpoint
	@Bean("reflectorsEndpointWebExtension")
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	ReactiveReflectorsEndpointWebExtension reactiveReflectorsEndpointWebExtension(BeanFactory beanFactory,
			ReflectorsEndpointProperties properties) {
		// looked up by type, so that the endpoint of this context takes precedence over
		// the endpoint of a parent
		return new ReactiveReflectorsEndpointWebExtension(beanFactory.getBean(ReflectorsEndpoint.class),
				properties.showValues(), properties.roles());
	}

	@Bean
	@ConditionalOnMissingBean(
			value = { ReflectorsEndpointWebExtension.class, ReactiveReflectorsEndpointWebExtension.class },
			search = SearchStrategy.CURRENT)
	ReflectorsEndpointWebExtension reflectorsEndpointWebExtension(BeanFactory beanFactory,
			ReflectorsEndpointProperties properties) {
		// looked up by type, so that the endpoint of this context takes precedence over
		// the endpoint of a parent
		return new ReflectorsEndpointWebExtension(beanFactory.getBean(ReflectorsEndpoint.class),
				properties.showValues(), properties.roles());
	}

}
