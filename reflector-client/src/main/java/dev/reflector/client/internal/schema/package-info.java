/**
 * Compares mirrored types with the schemas of the server: an OpenAPI document comes in,
 * and the differences go out. Called by the client, on the calling thread. Internal:
 * public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.schema;

import org.jspecify.annotations.NullMarked;
