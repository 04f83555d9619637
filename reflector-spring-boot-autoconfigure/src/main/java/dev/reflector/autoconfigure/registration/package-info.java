/**
 * Declares and reports the mirrored types. A
 * {@link dev.reflector.autoconfigure.registration.ReflectedResourceRegistration} or
 * properties below {@code reflector.resources} declare a type.
 * {@link dev.reflector.autoconfigure.registration.ReflectedResourceTypes} reports all
 * mirrored types, and {@link dev.reflector.autoconfigure.registration.RbacManifest} the
 * permissions for mirroring and writing.
 */
@NullMarked
package dev.reflector.autoconfigure.registration;

import org.jspecify.annotations.NullMarked;
