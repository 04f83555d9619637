/**
 * Starts servers and clients in turn and makes tables of what they report.
 */
@NullMarked
package dev.reflector.benchmark.runner;

import org.jspecify.annotations.NullMarked;
