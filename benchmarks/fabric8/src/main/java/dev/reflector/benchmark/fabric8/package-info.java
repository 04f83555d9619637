/**
 * The client of fabric8 as a client under test.
 */
@NullMarked
package dev.reflector.benchmark.fabric8;

import org.jspecify.annotations.NullMarked;
