/**
 * Carries out writes: sends applied records as requests. Results and failures are types
 * of {@code dev.reflector.write}. Remembers the responses, and skips an apply if the
 * object already has its content. The application calls this package on threads that may
 * block. Internal: public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.write;

import org.jspecify.annotations.NullMarked;
