/**
 * The typed events of the application context, and the bridge from the changes of a
 * mirror to them.
 */
@NullMarked
package dev.reflector.event;

import org.jspecify.annotations.NullMarked;
