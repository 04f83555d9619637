package com.example.fleet;

import dev.reflector.actuate.tracing.ReflectorDeliveryContext;
import dev.reflector.actuate.tracing.ReflectorDeliveryObservationConvention;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Observations under names of the application.
 */
@Configuration(proxyBeanMethods = false)
class FleetObservations {

	@Bean
	DeliveryNames deliveryNames() {
		return new DeliveryNames();
	}

	// tag::names[]
	static final class DeliveryNames implements ReflectorDeliveryObservationConvention {

		@Override
		public String getName() {
			return "fleet.change";
		}

		@Override
		public String getContextualName(ReflectorDeliveryContext context) {
			return context.getChange().type() + " in " + context.getReflector();
		}

	}
	// end::names[]

}
