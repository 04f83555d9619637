/**
 * The test kit for application contexts: annotations that start the embedded server or
 * load a slice of the application, and beans that record the events of reflectors and
 * wait for them. Spring's test framework calls these classes while a context starts and
 * before each test. Tests call the beans on their own thread.
 */
@NullMarked
package dev.reflector.test.context;

import org.jspecify.annotations.NullMarked;
