/**
 * Starts and stops the reflectors of a context, and waits for their first sync. Spring
 * calls these classes on the threads that start and stop the context. The classes are
 * public only because other packages of this library use them.
 */
@NullMarked
package dev.reflector.autoconfigure.internal.lifecycle;

import org.jspecify.annotations.NullMarked;
