/**
 * Writes back what an application owns, by server-side apply. Applied records come in,
 * requests to the API server go out; the response of the server comes back as
 * {@link dev.reflector.write.Written}, a failure as a
 * {@link dev.reflector.write.WriteException}. Called by the application on threads that
 * may block. This API is new in 0.1.0, and may still change in a minor version.
 */
@NullMarked
package dev.reflector.write;

import org.jspecify.annotations.NullMarked;
