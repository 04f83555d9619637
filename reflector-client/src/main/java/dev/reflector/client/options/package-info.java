/**
 * Options of a client: timeouts, limits, compression, format and HTTP version. Immutable
 * values, set by the application when it builds a client.
 */
@NullMarked
package dev.reflector.client.options;

import org.jspecify.annotations.NullMarked;
