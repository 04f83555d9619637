/**
 * Answers lists, reads of single objects and watches. From the parameters of a request,
 * this package makes the body of a list or the frames of a stream. Called by {@code
 * server}, on the event loop of the connection. The store notifies watches on any thread,
 * and each watch continues on the event loop of its connection. Internal: public only for
 * other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.read;

import org.jspecify.annotations.NullMarked;
