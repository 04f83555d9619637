/**
 * An application with nothing in it.
 */
@NullMarked
package dev.reflector.benchmark.startup;

import org.jspecify.annotations.NullMarked;
