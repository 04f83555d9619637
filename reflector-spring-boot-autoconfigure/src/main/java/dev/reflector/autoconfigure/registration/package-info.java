/**
 * What to mirror besides annotated types:
 * {@link dev.reflector.autoconfigure.registration.ReflectedResourceRegistration}, and the
 * properties below {@code reflector.resources}. Plain values.
 */
@NullMarked
package dev.reflector.autoconfigure.registration;

import org.jspecify.annotations.NullMarked;
