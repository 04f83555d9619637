package dev.reflector.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

import dev.reflector.autoconfigure.internal.ReflectorConfigurationException;
import dev.reflector.autoconfigure.internal.registration.ReflectorDefinition;
import dev.reflector.autoconfigure.internal.registration.ReflectorNames;
import dev.reflector.autoconfigure.internal.registration.ReflectorSettings;
import dev.reflector.cache.config.BackoffSettings;
import dev.reflector.cache.config.LimitSettings;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.snapshot.SnapshotOptions;
import dev.reflector.cache.snapshot.SnapshotStore;
import dev.reflector.client.internal.bind.JsonSnapshotCodec;
import dev.reflector.event.DeliveryPolicy;
import dev.reflector.sharding.source.StaticShard;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Settings of reflectors from the properties, changed by the customizers of the
 * application.
 */
final class PropertiesReflectorSettings implements ReflectorSettings {

	private final ReflectorProperties properties;

	private final ReflectorSnapshotProperties snapshot;

	private final String application;

	private final @Nullable StaticShard shard;

	private final ListableBeanFactory beanFactory;

	PropertiesReflectorSettings(ReflectorProperties properties, ReflectorSnapshotProperties snapshot,
			String application, @Nullable StaticShard shard, ListableBeanFactory beanFactory) {
		this.properties = properties;
		this.snapshot = snapshot;
		this.application = application;
		this.shard = shard;
		this.beanFactory = beanFactory;
	}

	@Override
	public ReflectorOptions options(String reflector, Duration resyncPeriod, LimitSettings limits) {
		ReflectorOptions.Builder options = options().resyncPeriod(resyncPeriod)
			.maxObjects(limits.maxObjects())
			.maxSize(limits.maxSize());
		this.properties.resources()
			.entrySet()
			.stream()
			.filter((entry) -> ReflectorNames.sameName(entry.getKey(), reflector))
			.map((entry) -> entry.getValue().pollInterval())
			.filter(Objects::nonNull)
			.findFirst()
			.ifPresent(options::pollInterval);
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
		DeliveryPolicy policy = this.properties.events().policy();
		if (this.snapshot.enabled() && !this.snapshot.acceptLoss() && policy.onError().isLossy()) {
			String onError = policy.onError().name().toLowerCase(Locale.ROOT);
			throw new ReflectorConfigurationException(
					"Snapshots are switched on ('reflector.snapshot.enabled'), and 'reflector.events.on-error' is '"
							+ onError
							+ "': a change that a listener has failed on would be stored as completed, and be "
							+ "lost.",
					"Set 'reflector.events.on-error' to 'stop' or 'retry-then-stop'. If such a loss is acceptable, set "
							+ "'reflector.snapshot.accept-loss=true'.");
		}
		return policy;
	}

	@Override
	public <T> @Nullable SnapshotOptions<T> snapshot(ReflectorDefinition<T> definition) {
		if (!this.snapshot.enabled()) {
			return null;
		}
		SnapshotStore store = this.beanFactory.getBeanProvider(SnapshotStore.class).getIfUnique();
		if (store == null) {
			throw new ReflectorConfigurationException(
					"Snapshots are switched on ('reflector.snapshot.enabled'), and there is no store for them.",
					"Add 'dev.reflector:reflector-snapshot-jdbc' to the dependencies, or define one bean of type "
							+ SnapshotStore.class.getName() + ".");
		}
		JsonMapper jsonMapper = this.beanFactory.getBeanProvider(JsonMapper.class).getIfAvailable(JsonMapper::new);
		SnapshotStore own = (this.shard != null) ? this.shard.snapshots(store) : store;
		return new SnapshotOptions<>(new RenamedSnapshots(own, definition.name(), definition.snapshotName()),
				codec(new JsonSnapshotCodec<>(jsonMapper, definition.type(), definition.resourceType()), definition),
				this.snapshot.resume() == ReflectorSnapshotProperties.Resume.AUTO, this.snapshot.onMismatch(),
				this.snapshot.commitInterval(), this.snapshot.writeAhead(), this.application,
				this.snapshot.announceTimeout());
	}

	private static <T> JsonSnapshotCodec<T> codec(JsonSnapshotCodec<T> codec, ReflectorDefinition<T> definition) {
		List<String> problems = codec.problems();
		if (!problems.isEmpty()) {
			throw new ReflectorConfigurationException(
					"Snapshots are switched on ('reflector.snapshot.enabled'), and objects of "
							+ definition.type().getName() + ", of the reflector '" + definition.name()
							+ "', would be restored without what their JSON has. " + String.join(". ", problems) + ".",
					"Let the component be written as it is read: give it a field or a getter of its name and type, or a "
							+ "serializer (@JsonSerialize) that writes what its deserializer reads. Or remove it from "
							+ "the type, or leave snapshots off.");
		}
		return codec;
	}

}
