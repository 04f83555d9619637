package dev.reflector.client.internal.http;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Registers hints for native images. In a native image, a type can be found by its name
 * only if there is a hint.
 */
final class ConnectorHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		HttpLibraries.TYPES.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
	}

}
