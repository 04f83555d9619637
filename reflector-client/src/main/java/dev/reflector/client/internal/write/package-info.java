/**
 * Carries out writes. In: applied records. Out: requests. Results and failures are types
 * of {@code dev.reflector.write}. Remembers the responses, so that an apply that would
 * change nothing is not sent again. Called by the application. Thread: the calling
 * thread, which blocks. Internal: public only for other packages of the project.
 */
@NullMarked
package dev.reflector.client.internal.write;

import org.jspecify.annotations.NullMarked;
