/**
 * The test kit within application contexts: annotations that start the embedded server or
 * load a slice of the application, and beans that record what reflectors do and wait for
 * it. Spring's test framework calls it while a context starts and before each test; tests
 * call the beans on their own thread.
 */
@NullMarked
package dev.reflector.test.context;

import org.jspecify.annotations.NullMarked;
