/**
 * Shows what the application writes: reports of writes come in, meters and an actuator
 * endpoint go out. Called by the threads that write, and by those of the actuator.
 */
@Experimental
@NullMarked
package dev.reflector.actuate.write;

import dev.reflector.Experimental;
import org.jspecify.annotations.NullMarked;
