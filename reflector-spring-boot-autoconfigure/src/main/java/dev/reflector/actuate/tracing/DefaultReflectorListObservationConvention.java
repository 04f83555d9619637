package dev.reflector.actuate.tracing;

import dev.reflector.actuate.tracing.ReflectorObservationDocumentation.ListKeys;
import io.micrometer.common.KeyValues;

/**
 * Default names of observed lists.
 */
final class DefaultReflectorListObservationConvention implements ReflectorListObservationConvention {

	@Override
	public String getName() {
		return "reflector.list";
	}

	@Override
	public String getContextualName(ReflectorListContext context) {
		return "list " + context.getReflector();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ReflectorListContext context) {
		return KeyValues.of(ListKeys.REFLECTOR.withValue(context.getReflector()),
				ListKeys.MODE.withValue(context.isStreamed() ? "stream" : "list"));
	}

}
