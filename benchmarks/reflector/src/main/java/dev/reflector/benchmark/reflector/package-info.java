/**
 * The application with the starter as a client under test, and the floor of the parser.
 */
@NullMarked
package dev.reflector.benchmark.reflector;

import org.jspecify.annotations.NullMarked;
