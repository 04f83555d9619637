package dev.reflector.client.internal.proto;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Hints for native images, in which a file can be found only with a hint.
 */
final class TableHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern(MessageTable.class.getPackageName().replace('.', '/') + "/" + MessageTable.FILE);
	}

}
