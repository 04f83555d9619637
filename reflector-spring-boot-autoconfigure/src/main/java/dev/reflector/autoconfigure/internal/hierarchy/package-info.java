/**
 * Connects a context with its parents and children. The health of a parent shows the
 * reflectors of its children, the meters of a child are in the registry of its parent,
 * and the listeners of a child receive the changes of its parents' reflectors. Spring
 * calls these classes on the threads that start and stop the context. The classes are
 * public only because other packages of this library use them.
 */
@NullMarked
package dev.reflector.autoconfigure.internal.hierarchy;

import org.jspecify.annotations.NullMarked;
