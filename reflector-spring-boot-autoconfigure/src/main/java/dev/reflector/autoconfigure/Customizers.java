package dev.reflector.autoconfigure;

import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import dev.reflector.cache.config.ReflectorOptions;
import dev.reflector.cache.config.TimeSource;
import dev.reflector.cache.informer.SharedInformerBuilder;
import dev.reflector.client.ApiServerClient;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Calls the customizers of the application in their order. These methods are not in a
 * configuration class, because Spring inspects all methods of such a class, and would
 * load the types of these methods in every application. This class is loaded only when
 * the first reflector is made.
 */
final class Customizers {

	private Customizers() {
	}

	static Consumer<ApiServerClient.Builder> ofClient(ObjectProvider<ApiServerClientBuilderCustomizer> customizers) {
		return (builder) -> customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
	}

	static BiConsumer<String, ReflectorOptions.Builder> ofOptions(
			ObjectProvider<ReflectorOptionsCustomizer> customizers) {
		return (reflector, options) -> customizers.orderedStream()
			.forEach((customizer) -> customizer.customize(reflector, options));
	}

	static BiConsumer<String, SharedInformerBuilder<?>> ofInformer(TimeSource time, Executor threads,
			ObjectProvider<SharedInformerBuilderCustomizer> customizers) {
		return (reflector, builder) -> {
			builder.time(time).threads(threads);
			customizers.orderedStream().forEach((customizer) -> customizer.customize(reflector, builder));
		};
	}

}
