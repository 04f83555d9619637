package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Registers a hint for native images. There, a file can be found only if there is a hint.
 */
final class TableHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern(MessageTable.class.getPackageName().replace('.', '/') + "/" + MessageTable.FILE);
	}

}
