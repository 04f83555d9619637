/**
 * How a client behaves: timeouts, limits, compression, format and version of HTTP. Plain
 * values.
 */
@NullMarked
package dev.reflector.client.options;

import org.jspecify.annotations.NullMarked;
