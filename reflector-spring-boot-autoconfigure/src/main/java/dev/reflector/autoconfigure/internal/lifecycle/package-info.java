/**
 * Starts and stops the reflectors of a context, waits for their first sync, and lets a
 * child context hear the reflectors of its parents. Spring calls it on the threads that
 * start and stop the context. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.autoconfigure.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
