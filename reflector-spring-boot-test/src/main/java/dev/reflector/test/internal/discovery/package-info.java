/**
 * What types there are: the served types and a path come in, documents of discovery and
 * OpenAPI go out. Called by {@code server}, on the event loop of the connection.
 * Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.discovery;

import org.jspecify.annotations.NullMarked;
