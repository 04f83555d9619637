/**
 * Micro benchmarks of the mirror, which is not public.
 */
@NullMarked
package dev.reflector.cache.internal.store;

import org.jspecify.annotations.NullMarked;
