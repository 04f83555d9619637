/**
 * Writes fields and objects that an application owns, by server-side apply. In: applied
 * records. Out: requests to the API server. A response of the server becomes a
 * {@link dev.reflector.write.Written}, and a failure becomes a
 * {@link dev.reflector.write.WriteException}. Called by the application. Thread: the
 * calling thread, which blocks.
 */
@Experimental
@NullMarked
package dev.reflector.write;

import dev.reflector.Experimental;
import org.jspecify.annotations.NullMarked;
