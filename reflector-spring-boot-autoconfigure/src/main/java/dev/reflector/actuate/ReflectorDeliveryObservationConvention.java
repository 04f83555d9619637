package dev.reflector.actuate;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names deliveries that are observed. A bean of this type replaces the names that
 * {@link ReflectorObservationDocumentation} lists.
 */
public interface ReflectorDeliveryObservationConvention extends ObservationConvention<ReflectorDeliveryContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ReflectorDeliveryContext;
	}

}
