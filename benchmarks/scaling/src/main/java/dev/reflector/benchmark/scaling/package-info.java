/**
 * One replica of an application, and the server that several replicas mirror, each in a
 * separate process that handles commands on its standard input.
 */
@NullMarked
package dev.reflector.benchmark.scaling;

import org.jspecify.annotations.NullMarked;
