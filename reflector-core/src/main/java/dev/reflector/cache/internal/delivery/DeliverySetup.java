package dev.reflector.cache.internal.delivery;

import dev.reflector.cache.config.DeliverySettings;
import dev.reflector.cache.config.QueueSettings;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.cache.source.ResourceAccessor;

/**
 * The helpers and settings for the delivery of changes to handlers. {@code queue} and
 * {@code delivery} are the instances in the reflector's options, not copies.
 *
 * @param <T> the type of the objects
 * @param name name of the reflector
 * @param accessor reads metadata
 * @param queue the capacity of the queues, and what happens when they are full
 * @param delivery how to deliver changes
 * @param observer observes the delivery
 * @param time source of time
 * @param gate decides whether this process may deliver a notification now
 */
public record DeliverySetup<T>(String name, ResourceAccessor<T> accessor, QueueSettings queue,
		DeliverySettings delivery, ReflectorObserver observer, TimeSource time, DeliveryGate<T> gate) {

}
