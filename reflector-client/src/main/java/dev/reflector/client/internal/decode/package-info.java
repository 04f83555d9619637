/**
 * Decodes the bodies of responses. In: buffers. Out: the items of a list, the events of a
 * watch, or a status. Called by the {@code exchange} package and the client's collection
 * reader. Thread: the decoding thread. Internal: public only for other packages of this
 * module.
 */
@NullMarked
package dev.reflector.client.internal.decode;

import org.jspecify.annotations.NullMarked;
