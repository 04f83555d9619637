/**
 * Defines where the API server is:
 * {@link dev.reflector.autoconfigure.connection.ReflectorConnectionDetails}, which an
 * application may replace, and the properties below {@code reflector.api-server}. The
 * classes of this package only hold values.
 */
@NullMarked
package dev.reflector.autoconfigure.connection;

import org.jspecify.annotations.NullMarked;
