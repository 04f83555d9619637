/**
 * Makes items, events, heads and statuses of frames, for one body after the other. Runs
 * on the thread that decodes. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.client.internal.decode;

import org.jspecify.annotations.NullMarked;
