/**
 * Compares mirrored types with the schemas of the server. In: an OpenAPI document and a
 * type. Out: the differences. Called by the client. Thread: the calling thread, which
 * blocks. Internal: public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.schema;

import org.jspecify.annotations.NullMarked;
