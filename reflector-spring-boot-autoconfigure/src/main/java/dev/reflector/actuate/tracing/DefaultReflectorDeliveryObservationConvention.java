package dev.reflector.actuate.tracing;

import java.util.Locale;

import dev.reflector.actuate.tracing.ReflectorObservationDocumentation.DeliveryDetailKeys;
import dev.reflector.actuate.tracing.ReflectorObservationDocumentation.DeliveryKeys;
import dev.reflector.cache.handler.Change;
import io.micrometer.common.KeyValues;

/**
 * Default names of observed deliveries.
 */
final class DefaultReflectorDeliveryObservationConvention implements ReflectorDeliveryObservationConvention {

	@Override
	public String getName() {
		return "reflector.delivery";
	}

	@Override
	public String getContextualName(ReflectorDeliveryContext context) {
		return "deliver " + context.getReflector();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(ReflectorDeliveryContext context) {
		return KeyValues.of(DeliveryKeys.REFLECTOR.withValue(context.getReflector()),
				DeliveryKeys.TYPE.withValue(context.getChange().type().name().toLowerCase(Locale.ROOT)));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(ReflectorDeliveryContext context) {
		Change<?> change = context.getChange();
		return KeyValues.of(DeliveryDetailKeys.KEY.withValue(change.key().toString()),
				DeliveryDetailKeys.RESOURCE_VERSION.withValue(change.resourceVersion()));
	}

}
