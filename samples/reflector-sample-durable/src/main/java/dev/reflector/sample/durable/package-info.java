/**
 * A table that is kept in step with a cluster, even across restarts.
 * <p>
 * The cluster and the application are two processes. The cluster sends changes to the
 * application over HTTP; a listener writes each change to the table before it returns.
 */
@NullMarked
package dev.reflector.sample.durable;

import org.jspecify.annotations.NullMarked;
