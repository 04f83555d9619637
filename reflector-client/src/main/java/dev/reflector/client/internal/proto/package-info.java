/**
 * Responses in protobuf: cuts bodies into items and frames, and translates the parts that
 * a type uses into JSON text for the {@code decode} package, by a table of field numbers.
 * Called by the client's collection reader on the decoding thread. Internal: public only
 * for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.proto;

import org.jspecify.annotations.NullMarked;
