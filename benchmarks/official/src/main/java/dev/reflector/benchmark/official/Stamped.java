package dev.reflector.benchmark.official;

import org.jspecify.annotations.Nullable;

/**
 * Says when it was sent.
 */
interface Stamped {

	@Nullable String stamp();

}
