package dev.reflector.autoconfigure.internal.registration;

import java.util.function.BiConsumer;
import java.util.function.Supplier;

import dev.reflector.autoconfigure.registration.ReflectedResourceProperties;
import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.event.DeliveryPolicy;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.util.unit.DataSize;

/**
 * Configures the reflectors of a context from properties and customizers. The properties
 * are read again for each reflector, by {@link #options}. Only the delivery policy and
 * the settings of snapshots are kept, because each of them is made from several
 * properties that were checked together.
 *
 * @param properties supplies a builder with the options that the properties set for all
 * reflectors
 * @param deliveryPolicy what happens after a listener has failed
 * @param snapshots store and settings of the snapshots, or {@code null} if mirrors are
 * not durable
 * @param optionsCustomizer changes the options of a reflector
 * @param builderCustomizer changes a reflector before it is built
 */
public record ReflectorConfigurer(Supplier<ReflectorOptions.Builder> properties, DeliveryPolicy deliveryPolicy,
		@Nullable DurableSnapshots snapshots, BiConsumer<String, ReflectorOptions.Builder> optionsCustomizer,
		BiConsumer<String, SharedInformerBuilder<?>> builderCustomizer) {

	ReflectorOptions options(ReflectorDefinition<?> definition) {
		ReflectedResourceProperties settings = definition.settings();
		ReflectorOptions.Builder options = this.properties.get().resyncPeriod(definition.resyncPeriod());
		PropertyMapper map = PropertyMapper.get();
		map.from(settings::pollInterval).to(options::pollInterval);
		map.from(settings::maxObjects).to(options::maxObjects);
		map.from(settings::maxSize).as(DataSize::toBytes).to(options::maxSize);
		this.optionsCustomizer.accept(definition.name(), options);
		return options.build();
	}

}
