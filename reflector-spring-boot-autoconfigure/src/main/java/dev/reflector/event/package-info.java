/**
 * The typed events of the application context.
 * {@link dev.reflector.event.ReflectorEventPublisher} gets the changes from a reflector
 * on its event threads, and publishes them on the same threads. Listeners are called with
 * retries, warnings of slow calls, and dead letters.
 */
@NullMarked
package dev.reflector.event;

import org.jspecify.annotations.NullMarked;
