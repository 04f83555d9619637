/**
 * Carries out writes: applied records come in, requests go out, and results and failures
 * come back as types of {@code dev.reflector.write}. Remembers the responses, so that an
 * apply that changes nothing is not sent again. Called by the application, on threads
 * that may block. Internal: public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.write;

import org.jspecify.annotations.NullMarked;
