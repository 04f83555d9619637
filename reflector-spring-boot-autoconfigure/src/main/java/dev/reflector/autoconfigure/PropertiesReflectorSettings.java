package dev.reflector.autoconfigure;

import java.time.Duration;

import dev.reflector.autoconfigure.internal.registration.ReflectorSettings;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.event.DeliveryPolicy;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Settings of reflectors from the properties, changed by the customizers of the
 * application.
 */
final class PropertiesReflectorSettings implements ReflectorSettings {

	private final ReflectorProperties properties;

	private final ListableBeanFactory beanFactory;

	PropertiesReflectorSettings(ReflectorProperties properties, ListableBeanFactory beanFactory) {
		this.properties = properties;
		this.beanFactory = beanFactory;
	}

	@Override
	public ReflectorOptions options(String reflector, Duration resyncPeriod) {
		ReflectorOptions.Builder options = options().resyncPeriod(resyncPeriod);
		this.beanFactory.getBeanProvider(ReflectorOptionsCustomizer.class)
			.orderedStream()
			.forEach((customizer) -> customizer.customize(reflector, options));
		return options.build();
	}

	private ReflectorOptions.Builder options() {
		ReflectorProperties.Backoff backoff = this.properties.backoff();
		ReflectorProperties.Watch watch = this.properties.watch();
		ReflectorProperties.Events events = this.properties.events();
		Integer pageSize = this.properties.list().pageSize();
		return ReflectorOptions.builder()
			.pageSize((pageSize != null) ? pageSize : 0)
			.minWatchTimeout(watch.minTimeout())
			.watchOverlap(watch.overlap())
			.bookmarks(watch.bookmarks())
			.initialList(watch.initialList())
			.backoff(new BackoffSettings(backoff.initial(), backoff.max(), backoff.multiplier(), backoff.jitter(),
					backoff.resetAfter()))
			.ordering(this.properties.queue().ordering())
			.queueCapacity(events.queueCapacity())
			.drainTimeout(events.drainTimeout())
			.overflow(events.overflow())
			.compatibility(this.properties.compatibility())
			.consistentFirstList(this.properties.list().consistentFirst())
			.recreationDetected(events.detectRecreation())
			.verifyPeriod(this.properties.verifyPeriod())
			.internalErrorRetry(watch.internalErrorRetry())
			.concurrency(events.concurrency())
			.slowListenerThreshold(events.slowListenerThreshold());
	}

	@Override
	public DeliveryPolicy deliveryPolicy() {
		return this.properties.events().policy();
	}

}
