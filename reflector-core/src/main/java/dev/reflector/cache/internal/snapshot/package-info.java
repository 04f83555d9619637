/**
 * Keeps a mirror durable. Before the loops begin, the mirror is filled from the store;
 * while the reflector runs, a separate thread writes to the store what all listeners have
 * completed. The informer calls it; it calls the port of
 * {@code dev.reflector.cache.snapshot}. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.cache.internal.snapshot;

import org.jspecify.annotations.NullMarked;
