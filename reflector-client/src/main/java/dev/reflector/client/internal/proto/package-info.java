/**
 * Reads responses in protobuf. In: the bytes of bodies, which are cut into items and
 * frames. Out: the parts that a type uses, as JSON text for the {@code decode} package.
 * Field numbers are looked up in a table. Called by the client's collection reader.
 * Thread: the decoding thread. Internal: public only for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.proto;

import org.jspecify.annotations.NullMarked;
