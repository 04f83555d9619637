/**
 * Makes reflectors from the declarations of types: scans for annotated types, reads
 * registrations and properties, registers bean definitions, and makes the reflectors.
 * Spring calls these classes while the context starts, on the thread that starts it. The
 * classes are public only because other packages of this library use them.
 */
@NullMarked
package dev.reflector.autoconfigure.internal.registration;

import org.jspecify.annotations.NullMarked;
