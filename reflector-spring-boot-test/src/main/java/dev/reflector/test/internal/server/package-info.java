/**
 * The socket and what is behind it: connections come in, and each request goes to the
 * room that answers it, or to a fault. Starts, stops, and is down for a while. Called by
 * tests on their threads, runs on its own event loops; outages have one more thread.
 * Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.server;

import org.jspecify.annotations.NullMarked;
