/**
 * Represents one request and its answer. Wraps a request of Reactor Netty, and writes
 * headers and bytes, compressed if the client wants that. Records the last requests, and
 * defines the actions by which faults affect the whole server. All packages that answer
 * requests call this package, on the event loop of the connection. Internal: public only
 * for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.exchange;

import org.jspecify.annotations.NullMarked;
