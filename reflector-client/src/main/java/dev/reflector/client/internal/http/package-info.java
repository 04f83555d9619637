/**
 * The HTTP libraries: makes WebClients over Reactor Netty, Jetty or the JDK's client with
 * the current certificates, limits the time of exchanges, closes cancelled ones, and
 * explains failures of connections and TLS. Called by the {@code exchange} package; runs
 * on the threads of the library. Internal: public only for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.http;

import org.jspecify.annotations.NullMarked;
