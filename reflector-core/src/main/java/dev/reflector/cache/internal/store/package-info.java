/**
 * The mirror: an indexed map that readers use without locks, and the versions that the
 * mirror has reached. One thread at a time writes, under the lock of the handlers; any
 * thread reads. The types of this package are public only so that other internal packages
 * can use them.
 */
@NullMarked
package dev.reflector.cache.internal.store;

import org.jspecify.annotations.NullMarked;
