/**
 * The typed events that listeners of the application context receive.
 * {@link dev.reflector.event.ReflectorEventPublisher} receives changes on the event
 * threads of a reflector, and publishes them on the same threads. Calls of listeners are
 * retried, slow calls are reported, and changes on which listeners have failed become
 * dead letters.
 */
@NullMarked
package dev.reflector.event;

import org.jspecify.annotations.NullMarked;
