/**
 * The options of a client: timeouts, limits, compression, format and HTTP version. The
 * application or Spring Boot's auto-configuration creates them. The client and its {@code
 * exchange} and {@code http} packages read them. All are immutable, so any thread can use
 * them.
 */
@NullMarked
package dev.reflector.client.options;

import org.jspecify.annotations.NullMarked;
