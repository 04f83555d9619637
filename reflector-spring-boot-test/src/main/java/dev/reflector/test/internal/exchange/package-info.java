/**
 * One request and the ways to answer it: a request of Reactor Netty comes in, headers and
 * bytes go out, compressed where the client wants that. Keeps the last requests, and says
 * what a fault may do to the whole server. Called by all rooms that answer, on the event
 * loop of the connection. Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.exchange;

import org.jspecify.annotations.NullMarked;
