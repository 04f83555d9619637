/**
 * The mirror: an indexed map that is read without locks, and the versions it has reached.
 * One thread writes, under the lock of the handlers; any thread reads. Public only
 * because Java needs it.
 */
@NullMarked
package dev.reflector.cache.internal.store;

import org.jspecify.annotations.NullMarked;
