/**
 * Micro benchmarks of the queue between the loops and the mirror, which is not public.
 */
@NullMarked
package dev.reflector.cache.internal.queue;

import org.jspecify.annotations.NullMarked;
