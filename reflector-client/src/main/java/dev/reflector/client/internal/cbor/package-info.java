/**
 * Reads responses in CBOR. Bodies are cut into items and frames, and the parts that a
 * type uses are translated into JSON text for the {@code decode} package. The client's
 * collection reader calls this package on the decoding thread. Internal: public only for
 * other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.cbor;

import org.jspecify.annotations.NullMarked;
