package dev.reflector.cache.internal.delivery;

import dev.reflector.cache.config.DeliverySettings;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * The tools of the delivery of changes to handlers, and the two parts of the reflector's
 * options that it reads. The parts are the instances in these options, not copies.
 *
 * @param <T> the type of the objects
 * @param name name of the reflector
 * @param accessor reads metadata
 * @param queue bound of the queues, and what happens when they are full
 * @param delivery how to deliver
 * @param observer observes the work
 * @param time source of time
 * @param gate whether this process may deliver something now
 */
public record DeliverySetup<T>(String name, ResourceAccessor<T> accessor, QueueSettings queue,
		DeliverySettings delivery, ReflectorObserver observer, TimeSource time, DeliveryGate<T> gate) {

}
