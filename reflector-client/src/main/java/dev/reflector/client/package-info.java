/**
 * The HTTP client of an API server. In: a server and options. Out: a {@code
 * ListerWatcher} for each collection. Called by the application and by Spring Boot's
 * auto-configuration at startup, and by the engine for each list and watch. Thread:
 * decodes on the given scheduler, never on network threads.
 */
@NullMarked
package dev.reflector.client;

import org.jspecify.annotations.NullMarked;
