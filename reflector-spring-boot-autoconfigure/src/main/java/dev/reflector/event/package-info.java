/**
 * The typed events of the application context.
 * {@link dev.reflector.event.ReflectorEventPublisher} receives the changes from a
 * reflector on the event threads of the reflector, and publishes them on the same
 * threads. Calls of listeners are retried, slow calls are reported, and changes on which
 * listeners have failed become dead letters.
 */
@NullMarked
package dev.reflector.event;

import org.jspecify.annotations.NullMarked;
