/**
 * Carries out writes: sends applied records as requests. Results and failures are types
 * of {@code dev.reflector.write}. Remembers the responses, so that an apply that would
 * change nothing is not sent again. The application calls this package on threads that
 * may block. Internal: public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.write;

import org.jspecify.annotations.NullMarked;
