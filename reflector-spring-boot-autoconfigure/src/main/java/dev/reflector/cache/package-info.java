/**
 * The engine, after client-go's {@code tools/cache}: the list/watch loop, the queue of
 * deltas, the indexed store and the hand-over to listeners. No HTTP and no Spring
 * container; time, randomness and threads are passed in.
 */
@NullMarked
package dev.reflector.cache;

import org.jspecify.annotations.NullMarked;
