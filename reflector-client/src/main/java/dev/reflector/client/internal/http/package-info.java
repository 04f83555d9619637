/**
 * Adapts the HTTP libraries. In: the settings and the current certificates. Out:
 * WebClients over Reactor Netty, Jetty or the JDK's client. Also limits the time of
 * exchanges, closes canceled exchanges, and explains failures of connections and TLS.
 * Called by the {@code exchange} package. Thread: the threads of the library. Internal:
 * public only for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.http;

import org.jspecify.annotations.NullMarked;
