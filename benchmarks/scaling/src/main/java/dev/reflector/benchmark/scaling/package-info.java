/**
 * One replica of an application, and the server that several of them mirror, each in a
 * process of its own that does what lines on its standard input say.
 */
@NullMarked
package dev.reflector.benchmark.scaling;

import org.jspecify.annotations.NullMarked;
