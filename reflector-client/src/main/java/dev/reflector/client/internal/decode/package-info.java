/**
 * Decodes the bodies of responses. The input is buffers, and the result is the items of a
 * list, the events of a watch, or a status. The {@code exchange} package and the client's
 * collection reader call this package on the decoding thread. Internal: public only for
 * other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.decode;

import org.jspecify.annotations.NullMarked;
