/**
 * Cuts the bytes of a body into items of a list or frames of a watch, without decoding
 * them. Runs on the thread that decodes. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.client.internal.frame;

import org.jspecify.annotations.NullMarked;
