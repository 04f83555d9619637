/**
 * The test kit: an embedded API server that speaks the Kubernetes protocol over a real
 * socket, so that applications that mirror collections can be tested without a cluster.
 * Tests call the server on their threads. The server answers on its own event loops.
 */
@NullMarked
package dev.reflector.test;

import org.jspecify.annotations.NullMarked;
