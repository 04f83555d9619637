/**
 * What is mirrored: declared by a
 * {@link dev.reflector.autoconfigure.registration.ReflectedResourceRegistration} or by
 * the properties below {@code reflector.resources}, and reported by
 * {@link dev.reflector.autoconfigure.registration.ReflectedResourceTypes}, with the
 * permissions that it needs.
 */
@NullMarked
package dev.reflector.autoconfigure.registration;

import org.jspecify.annotations.NullMarked;
