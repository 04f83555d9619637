/**
 * A mirror of pods.
 */
@NullMarked
package dev.reflector.benchmark.reflector.pods;

import org.jspecify.annotations.NullMarked;
