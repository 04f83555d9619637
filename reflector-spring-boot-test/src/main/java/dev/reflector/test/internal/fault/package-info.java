/**
 * The ways to misbehave: a request and the proper answer come in, a spoilt answer or none
 * goes out. Keeps the faults that are still to be played. Made by tests on their threads,
 * called by {@code server} on the event loop of the connection. Internal: public only for
 * other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.fault;

import org.jspecify.annotations.NullMarked;
