/**
 * Responses in CBOR: cuts bodies into items and frames, and translates the parts that a
 * type uses into JSON text for the {@code decode} package. Called by the client's
 * collection reader on the decoding thread. Internal: public only for other packages of
 * this module.
 */
@NullMarked
package dev.reflector.client.internal.cbor;

import org.jspecify.annotations.NullMarked;
