/**
 * Starts and stops the reflectors of a context, and waits for their first sync. Spring
 * calls these classes on the threads that start and stop the context. Public only because
 * Java needs it.
 */
@NullMarked
package dev.reflector.autoconfigure.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
