/**
 * Answers discovery and OpenAPI requests with the served types. Called by {@code server},
 * on the event loop of the connection. Internal: public only for other packages of the
 * test kit.
 */
@NullMarked
package dev.reflector.test.internal.discovery;

import org.jspecify.annotations.NullMarked;
