package dev.reflector.actuate.tracing;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names observed deliveries. A bean of this type replaces the default names, which
 * {@link ReflectorObservationDocumentation} lists.
 *
 * @since 0.1.0
 */
public interface ReflectorDeliveryObservationConvention extends ObservationConvention<ReflectorDeliveryContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ReflectorDeliveryContext;
	}

}
