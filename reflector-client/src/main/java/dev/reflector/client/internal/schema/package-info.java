/**
 * Compares mirrored types with the schemas of the server. The input is an OpenAPI
 * document and a type, and the result is the differences. The client calls this package
 * on the calling thread, which blocks. Internal: public only for other packages of the
 * project.
 */
@NullMarked
package dev.reflector.client.internal.schema;

import org.jspecify.annotations.NullMarked;
