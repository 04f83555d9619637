package dev.reflector.client.internal.http;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Lets a native image find out which HTTP libraries it contains: types are looked up by
 * name there only when they are hinted.
 */
final class ConnectorHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		HttpLibraries.TYPES.forEach((type) -> hints.reflection().registerTypeIfPresent(classLoader, type));
	}

}
