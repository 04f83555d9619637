/**
 * Decodes bodies: buffers of a response come in; items of a list, events of a watch or a
 * status go out. Called by the {@code exchange} package and the client's collection
 * reader, on the decoding thread. Internal: public only for other packages of this
 * module.
 */
@NullMarked
package dev.reflector.client.internal.decode;

import org.jspecify.annotations.NullMarked;
