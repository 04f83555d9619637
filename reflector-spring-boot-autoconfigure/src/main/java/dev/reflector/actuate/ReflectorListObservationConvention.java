package dev.reflector.actuate;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;

/**
 * Names lists that are observed. A bean of this type replaces the names that
 * {@link ReflectorObservationDocumentation} lists.
 */
public interface ReflectorListObservationConvention extends ObservationConvention<ReflectorListContext> {

	@Override
	default boolean supportsContext(Observation.Context context) {
		return context instanceof ReflectorListContext;
	}

}
