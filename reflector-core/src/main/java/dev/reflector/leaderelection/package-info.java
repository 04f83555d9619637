/**
 * Elects one leader among the replicas of an application, by client-go's rules. A lock on
 * the server, settings and callbacks come in; whether this replica leads now goes out.
 * Started and stopped by the application. Requests run on the threads of the lock, and
 * waits on the timer. Callbacks run on the given executor, one after the other.
 */
@NullMarked
package dev.reflector.leaderelection;

import org.jspecify.annotations.NullMarked;
