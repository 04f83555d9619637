/**
 * Micro benchmarks of what is not public.
 */
@NullMarked
package dev.reflector.client;

import org.jspecify.annotations.NullMarked;
