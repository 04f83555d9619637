/**
 * Finds mistakes in the setup of the application and explains failed starts: checks of
 * beans and properties, and failure analyzers. Spring calls them while the context
 * starts, or after the start has failed. The classes are public only because other
 * packages of this library use them.
 */
@NullMarked
package dev.reflector.autoconfigure.internal.diagnosis;

import org.jspecify.annotations.NullMarked;
