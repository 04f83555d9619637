/**
 * The queue between the loops and the writer of the mirror, in arrival order or by key.
 * Loops add entries on their threads, and the writer removes them on its own thread.
 * Public only because Java needs it.
 */
@NullMarked
package dev.reflector.cache.internal.queue;

import org.jspecify.annotations.NullMarked;
