/**
 * The socket and the handling of requests. Each request goes to the package that answers
 * it, or to a fault. Starts and stops the server, and takes it down for some time. Tests
 * call this package on their threads. The server runs on its own event loops. Outages use
 * one more thread. Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.server;

import org.jspecify.annotations.NullMarked;
