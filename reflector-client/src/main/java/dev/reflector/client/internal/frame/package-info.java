/**
 * Cuts bodies into frames: bytes of a response come in, items of a list or frames of a
 * watch go out, not decoded. Called by the {@code decode} package on the decoding thread.
 * Internal: public only for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.frame;

import org.jspecify.annotations.NullMarked;
