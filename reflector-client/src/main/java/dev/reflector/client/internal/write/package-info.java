/**
 * Carries out writes: applied records come in, requests go out, and answers and failures
 * come back in the words of {@code dev.reflector.write}. Remembers what was answered, so
 * that an apply that changes nothing is not sent again. Called by the application, on
 * threads that may block. Internal: public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.write;

import org.jspecify.annotations.NullMarked;
