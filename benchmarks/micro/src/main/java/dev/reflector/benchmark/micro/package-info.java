/**
 * Micro benchmarks of what is public.
 */
@NullMarked
package dev.reflector.benchmark.micro;

import org.jspecify.annotations.NullMarked;
