/**
 * The HTTP libraries: connectors of Reactor Netty, Jetty and the JDK, TLS, deadlines, and
 * what their failures mean. Runs on the threads of the library. Public only because Java
 * needs it.
 */
@NullMarked
package dev.reflector.client.internal.http;

import org.jspecify.annotations.NullMarked;
