package dev.reflector.actuate.tracing;

import dev.reflector.cache.handler.ResourceEventHandler;
import dev.reflector.cache.informer.Instrumentation;
import dev.reflector.cache.source.ListerWatcher;
import dev.reflector.cache.source.ResourceAccessor;
import io.micrometer.observation.ObservationRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Observes lists and deliveries. The HTTP requests of a list belong to the trace of the
 * list. Requests and other work of listeners belong to the trace of the delivery. Initial
 * objects and resyncs are not observed. If a convention or an observation handler throws
 * an exception, the exception is only logged. If the registry observes nothing, sources
 * and handlers are returned unchanged.
 *
 * @since 0.1.0
 */
public final class ReflectorObservations implements Instrumentation {

	private static final ReflectorListObservationConvention LIST = new DefaultReflectorListObservationConvention();

	private static final ReflectorDeliveryObservationConvention DELIVERY = new DefaultReflectorDeliveryObservationConvention();

	private final ObservationRegistry registry;

	private final @Nullable ReflectorListObservationConvention listConvention;

	private final @Nullable ReflectorDeliveryObservationConvention deliveryConvention;

	/**
	 * Creates the observations.
	 * @param registry the registry that receives the observations
	 * @param listConvention names lists, or {@code null} for the names in
	 * {@link ReflectorObservationDocumentation}
	 * @param deliveryConvention names deliveries, or {@code null} for the names in
	 * {@link ReflectorObservationDocumentation}
	 */
	public ReflectorObservations(ObservationRegistry registry,
			@Nullable ReflectorListObservationConvention listConvention,
			@Nullable ReflectorDeliveryObservationConvention deliveryConvention) {
		this.registry = registry;
		this.listConvention = listConvention;
		this.deliveryConvention = deliveryConvention;
	}

	@Override
	public <T> ListerWatcher<T> source(String reflector, ResourceAccessor<T> accessor, ListerWatcher<T> source) {
		return this.registry.isNoop() ? source : new ObservedListerWatcher<>(source, (streamed) -> {
			ReflectorListContext context = new ReflectorListContext(reflector, streamed);
			return ReflectorObservationDocumentation.LIST.observation(this.listConvention, LIST, () -> context,
					this.registry);
		}, new ObservationGuard(reflector));
	}

	@Override
	public <T> ResourceEventHandler<T> handler(String reflector, ResourceAccessor<T> accessor,
			ResourceEventHandler<T> handler) {
		return this.registry.isNoop() ? handler : new ObservedEventHandler<>(handler, (change) -> {
			ReflectorDeliveryContext context = new ReflectorDeliveryContext(reflector, change);
			return ReflectorObservationDocumentation.DELIVERY.observation(this.deliveryConvention, DELIVERY,
					() -> context, this.registry);
		}, this.registry, new ObservationGuard(reflector));
	}

}
