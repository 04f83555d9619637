/**
 * Compares mirrored types with the schemas of the server: an OpenAPI document comes in,
 * what does not fit goes out. Called by the client, on the thread that asks. Internal:
 * public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.schema;

import org.jspecify.annotations.NullMarked;
