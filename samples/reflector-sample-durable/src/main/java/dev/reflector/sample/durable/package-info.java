/**
 * A table that is kept in step with a cluster, also over restarts.
 * <p>
 * The cluster and the application are two processes. The cluster sends changes to the
 * application over HTTP; a listener writes each of them to the table before it returns.
 */
@NullMarked
package dev.reflector.sample.durable;

import org.jspecify.annotations.NullMarked;
