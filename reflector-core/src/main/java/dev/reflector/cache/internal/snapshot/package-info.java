/**
 * Keeps a mirror durable. Before the loops begin, the mirror is filled from the store.
 * While the reflector runs, a separate thread stores what all listeners have completed.
 * The informer calls this package, which calls the port of
 * {@code dev.reflector.cache.snapshot}. Types of this package are public only so that
 * other internal packages can use them.
 */
@NullMarked
package dev.reflector.cache.internal.snapshot;

import org.jspecify.annotations.NullMarked;
