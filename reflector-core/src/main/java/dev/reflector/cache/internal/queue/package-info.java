/**
 * The queue between the loops and the writer of the mirror, in arrival order or by key.
 * Loops add on their threads, the writer takes on its own. Public only because Java needs
 * it.
 */
@NullMarked
package dev.reflector.cache.internal.queue;

import org.jspecify.annotations.NullMarked;
