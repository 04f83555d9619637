/**
 * The test kit within application contexts: annotations that start the embedded server or
 * load a slice of the application, and beans that record what reflectors do and wait for
 * it.
 */
@NullMarked
package dev.reflector.test.context;

import org.jspecify.annotations.NullMarked;
