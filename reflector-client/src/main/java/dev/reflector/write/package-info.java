/**
 * Writes back what an application owns, by server-side apply. Applied records come in,
 * requests to the API server go out; the response of the server comes back as
 * {@link dev.reflector.write.Written}, a failure as a
 * {@link dev.reflector.write.WriteException}. Called by the application on threads that
 * may block.
 */
@Experimental
@NullMarked
package dev.reflector.write;

import dev.reflector.Experimental;
import org.jspecify.annotations.NullMarked;
