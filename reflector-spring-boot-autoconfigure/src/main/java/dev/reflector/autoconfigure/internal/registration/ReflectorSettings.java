package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.handler.ReflectorObserver;
import dev.reflector.event.DeliveryPolicy;

/**
 * What properties and beans of the application say about each reflector.
 */
public interface ReflectorSettings {

	ReflectorOptions options(String reflector, Duration resyncPeriod);

	ReflectorObserver observer(String reflector);

	DeliveryPolicy deliveryPolicy();

}
