package dev.reflector.cache.internal.delivery;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * What the delivery of changes to handlers works with.
 *
 * @param <T> the type of the objects
 * @param name name of the reflector
 * @param accessor reads metadata
 * @param options behaviour
 * @param observer is told of the work
 * @param time source of time
 */
public record DeliverySetup<T>(String name, ResourceAccessor<T> accessor, ReflectorOptions options,
		ReflectorObserver observer, TimeSource time) {

}
