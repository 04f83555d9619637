/**
 * Options of a client: timeouts, limits, compression, format and HTTP version. The
 * application or Spring Boot's auto-configuration makes them for a client; the client and
 * its {@code exchange} and {@code http} packages read them. Immutable values, for any
 * thread.
 */
@NullMarked
package dev.reflector.client.options;

import org.jspecify.annotations.NullMarked;
