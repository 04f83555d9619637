/**
 * An application with many mirrors.
 */
@NullMarked
package dev.reflector.benchmark.reflector.idle;

import org.jspecify.annotations.NullMarked;
