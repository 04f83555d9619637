package dev.reflector.client.internal.http;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for native images, where a type is found by its name only with a hint.
 */
final class ConnectorHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		HttpLibraries.TYPES.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
	}

}
