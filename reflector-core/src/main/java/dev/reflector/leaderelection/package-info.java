/**
 * Elects one leader among the replicas of an application, by client-go's rules. The input
 * is a lock on the server, settings and callbacks. The output is whether this replica
 * leads now. Started and stopped by the application. Requests run on the threads of the
 * lock, and timed tasks on the timer. Callbacks run on the given executor, one after the
 * other.
 */
@NullMarked
package dev.reflector.leaderelection;

import org.jspecify.annotations.NullMarked;
