/**
 * The options of a client: timeouts, limits, compression, format and HTTP version.
 * Created by the application or by Spring Boot's auto-configuration. Read by the client
 * and its {@code exchange} and {@code http} packages. Thread: any, because the values are
 * immutable.
 */
@NullMarked
package dev.reflector.client.options;

import org.jspecify.annotations.NullMarked;
