package dev.reflector.client.internal.http;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for native images, in which a type can be found by name only with a hint.
 */
final class ConnectorHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		HttpLibraries.TYPES.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
	}

}
