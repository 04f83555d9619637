/**
 * Lists, single objects and watches: the parameters of a request come in, the body of a
 * list or the frames of a stream go out. Called by {@code server}, on the event loop of
 * the connection; the store wakes watches from any thread, and they continue there.
 * Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.read;

import org.jspecify.annotations.NullMarked;
