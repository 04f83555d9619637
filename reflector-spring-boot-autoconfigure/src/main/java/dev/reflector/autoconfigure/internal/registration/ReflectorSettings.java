package dev.reflector.autoconfigure.internal.registration;

import java.util.function.BiConsumer;
import java.util.function.Supplier;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.event.DeliveryPolicy;
import org.jspecify.annotations.Nullable;

/**
 * The settings that properties and customizers give the reflectors of a context.
 *
 * @param options returns a builder with the options that all reflectors have in common
 * @param deliveryPolicy what happens after a listener has failed
 * @param snapshots how the snapshots of durable mirrors are kept, or {@code null} if
 * mirrors are not durable
 * @param optionsCustomizer changes the options of a reflector
 * @param builderCustomizer changes a reflector before it is built
 */
public record ReflectorSettings(Supplier<ReflectorOptions.Builder> options, DeliveryPolicy deliveryPolicy,
		@Nullable DurableSnapshots snapshots, BiConsumer<String, ReflectorOptions.Builder> optionsCustomizer,
		BiConsumer<String, SharedInformerBuilder<?>> builderCustomizer) {

	ReflectorOptions options(ReflectorDefinition<?> definition) {
		ReflectorOptions.Builder options = this.options.get()
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
