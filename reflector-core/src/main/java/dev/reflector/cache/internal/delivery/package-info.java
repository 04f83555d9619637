/**
 * The way from the mirror to the handlers: a bounded queue and a thread for each handler.
 * The writer of the mirror adds notifications, and the thread of the handler takes them.
 * Public only because Java needs it.
 */
@NullMarked
package dev.reflector.cache.internal.delivery;

import org.jspecify.annotations.NullMarked;
