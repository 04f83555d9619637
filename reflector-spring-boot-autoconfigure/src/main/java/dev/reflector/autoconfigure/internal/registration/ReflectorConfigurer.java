package dev.reflector.autoconfigure.internal.registration;

import java.util.function.BiConsumer;
import java.util.function.Supplier;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.event.DeliveryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * Configures the reflectors of a context from properties and customizers. Holds no copy
 * of an option: {@link #options} reads the properties when a reflector is made. What it
 * holds are two decisions that several properties make together, and that were checked
 * against each other: the delivery policy, and whether mirrors are durable.
 *
 * @param properties begins with the options that the properties set for all reflectors
 * @param deliveryPolicy what happens after a listener has failed
 * @param snapshots how the snapshots of durable mirrors are kept, or {@code null} if
 * mirrors are not durable
 * @param optionsCustomizer changes the options of a reflector
 * @param builderCustomizer changes a reflector before it is built
 */
public record ReflectorConfigurer(Supplier<ReflectorOptions.Builder> properties, DeliveryPolicy deliveryPolicy,
		@Nullable DurableSnapshots snapshots, BiConsumer<String, ReflectorOptions.Builder> optionsCustomizer,
		BiConsumer<String, SharedInformerBuilder<?>> builderCustomizer) {

	ReflectorOptions options(ReflectorDefinition<?> definition) {
		ReflectorOptions.Builder options = this.properties.get()
			.resyncPeriod(definition.resyncPeriod())
			.maxObjects(definition.limits().maxObjects())
			.maxSize(definition.limits().maxSize());
		if (definition.pollInterval() != null) {
			options.pollInterval(definition.pollInterval());
		}
		this.optionsCustomizer.accept(definition.name(), options);
		return options.build();
	}

}
