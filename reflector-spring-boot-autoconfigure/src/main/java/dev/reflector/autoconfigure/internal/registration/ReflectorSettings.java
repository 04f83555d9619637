package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.event.DeliveryPolicy;

/**
 * What properties and customizers say about each reflector.
 */
public interface ReflectorSettings {

	ReflectorOptions options(String reflector, Duration resyncPeriod);

	DeliveryPolicy deliveryPolicy();

}
