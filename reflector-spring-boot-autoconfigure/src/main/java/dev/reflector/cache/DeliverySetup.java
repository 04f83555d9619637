package dev.reflector.cache;

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
record DeliverySetup<T>(String name, ResourceAccessor<T> accessor, ReflectorOptions options, ReflectorObserver observer,
		TimeSource time) {

}
