/**
 * The Java client of the Kubernetes project as a client under test.
 */
@NullMarked
package dev.reflector.benchmark.official;

import org.jspecify.annotations.NullMarked;
