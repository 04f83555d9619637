/**
 * Micro benchmarks of what is not public.
 */
@NullMarked
package dev.reflector.cache;

import org.jspecify.annotations.NullMarked;
