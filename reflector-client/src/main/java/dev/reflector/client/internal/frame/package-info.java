/**
 * Cuts the bodies of responses into frames. In: bytes. Out: the items of a list or the
 * frames of a watch, which are not decoded. Called by the {@code decode} package. Thread:
 * the decoding thread. Internal: public only for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.frame;

import org.jspecify.annotations.NullMarked;
