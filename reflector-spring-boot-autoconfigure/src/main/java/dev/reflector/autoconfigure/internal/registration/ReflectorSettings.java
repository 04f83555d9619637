package dev.reflector.autoconfigure.internal.registration;

import java.time.Duration;

import dev.reflector.cache.config.LimitSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.event.DeliveryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * What properties and customizers say about each reflector.
 */
public interface ReflectorSettings {

	ReflectorOptions options(String reflector, Duration resyncPeriod, LimitSettings limits);

	DeliveryPolicy deliveryPolicy();

	/** Where the snapshot of a durable mirror is kept; {@code null} without snapshots. */
	<T> @Nullable SnapshotOptions<T> snapshot(ReflectorDefinition<T> definition);

}
