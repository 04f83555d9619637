/**
 * The client of an API server over HTTP. A server and options come in; a
 * {@code ListerWatcher} for each collection goes out. Called by the application and by
 * Spring Boot's auto-configuration at startup, and by the engine for each list and watch.
 * Decodes on the given scheduler, never on network threads.
 */
@NullMarked
package dev.reflector.client;

import org.jspecify.annotations.NullMarked;
