/**
 * The queue between the loops and the writer of the mirror, in arrival order or by key.
 * Loops add deltas on their threads, and the writer pops deltas on its thread. Types of
 * this package are public only so that other internal packages can use them.
 */
@NullMarked
package dev.reflector.cache.internal.queue;

import org.jspecify.annotations.NullMarked;
