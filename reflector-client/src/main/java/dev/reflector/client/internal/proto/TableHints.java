package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Registers the file {@link MessageTable#FILE} for native images. A native image contains
 * only files that are registered.
 */
final class TableHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern(MessageTable.class.getPackageName().replace('.', '/') + "/" + MessageTable.FILE);
	}

}
