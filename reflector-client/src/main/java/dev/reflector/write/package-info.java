/**
 * Writes fields and objects that an application owns, by server-side apply. Applied
 * records are sent as requests to the API server. A response of the server becomes a
 * {@link dev.reflector.write.Written}, and a failure becomes a
 * {@link dev.reflector.write.WriteException}. The application calls this package on
 * threads that may block.
 */
@Experimental
@NullMarked
package dev.reflector.write;

import dev.reflector.Experimental;
import org.jspecify.annotations.NullMarked;
