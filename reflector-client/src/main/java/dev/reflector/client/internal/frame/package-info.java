/**
 * Cuts the bodies of responses into frames: the items of a list, or the events of a
 * watch. Frames are not decoded here. The {@code decode} package calls this package on
 * the decoding thread. Internal: public only for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.frame;

import org.jspecify.annotations.NullMarked;
