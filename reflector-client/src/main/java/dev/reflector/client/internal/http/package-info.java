/**
 * Adapts the HTTP libraries. Creates WebClients over Reactor Netty, Jetty or the JDK's
 * client, with the current certificates. Limits the time of exchanges, closes canceled
 * exchanges, and explains failures of connections and TLS. The {@code exchange} package
 * calls this package. Most code of this package runs on the threads of the HTTP library.
 * Internal: public only for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.http;

import org.jspecify.annotations.NullMarked;
