/**
 * Shows what the application writes. Receives reports of writes, and shows them as meters
 * and through an actuator endpoint. Called by the threads that write and by the threads
 * of the actuator.
 */
@Experimental
@NullMarked
package dev.reflector.actuate.write;

import dev.reflector.Experimental;
import org.jspecify.annotations.NullMarked;
