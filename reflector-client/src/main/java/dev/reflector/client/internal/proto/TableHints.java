package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Registers a hint for native images. In a native image, a file can be found only if
 * there is a hint.
 */
final class TableHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern(MessageTable.class.getPackageName().replace('.', '/') + "/" + MessageTable.FILE);
	}

}
