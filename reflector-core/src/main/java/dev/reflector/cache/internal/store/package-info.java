/**
 * The mirror: an indexed map that readers see without locks, and the versions it has
 * reached. One thread writes, under the lock of the handlers; any thread reads. The types
 * of this package are public only so that other internal packages can use them.
 */
@NullMarked
package dev.reflector.cache.internal.store;

import org.jspecify.annotations.NullMarked;
