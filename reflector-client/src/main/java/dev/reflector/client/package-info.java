/**
 * The HTTP client of an API server. It gets a server and options, and creates a {@code
 * ListerWatcher} for each collection. The application and Spring Boot's
 * auto-configuration call it at startup, and the engine calls it for each list and watch.
 * Objects are decoded on the given scheduler, never on network threads.
 */
@NullMarked
package dev.reflector.client;

import org.jspecify.annotations.NullMarked;
