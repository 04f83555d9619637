package dev.reflector.autoconfigure;

import dev.reflector.actuate.tracing.ReflectorDeliveryObservationConvention;
import dev.reflector.actuate.tracing.ReflectorListObservationConvention;
import dev.reflector.actuate.tracing.ReflectorObservations;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the observations of the reflectors.
 *
 * @since 0.1.0
 */
@AutoConfiguration(after = ReflectorAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnReflectors
public final class ReflectorsObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ReflectorObservations reflectorObservations(ObservationRegistry registry,
			ObjectProvider<ReflectorListObservationConvention> listConvention,
			ObjectProvider<ReflectorDeliveryObservationConvention> deliveryConvention) {
		return new ReflectorObservations(registry, listConvention.getIfAvailable(),
				deliveryConvention.getIfAvailable());
	}

}
