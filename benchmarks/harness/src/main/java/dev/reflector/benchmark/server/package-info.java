/**
 * A server of lists and watches that renders everything beforehand, so that it is never
 * what is measured.
 */
@NullMarked
package dev.reflector.benchmark.server;

import org.jspecify.annotations.NullMarked;
