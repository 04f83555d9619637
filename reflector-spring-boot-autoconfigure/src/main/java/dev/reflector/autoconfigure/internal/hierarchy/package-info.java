/**
 * What a context shares with its parents and children: their reflectors in its health,
 * its meters in their registries, and the changes of their reflectors for its listeners.
 * Spring calls it on the threads that start and stop the context. Public only because
 * Java needs it.
 */
@NullMarked
package dev.reflector.autoconfigure.internal.hierarchy;

import org.jspecify.annotations.NullMarked;
