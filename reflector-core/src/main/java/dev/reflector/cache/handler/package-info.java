/**
 * Handlers and observers, which the application implements. A handler receives changes on
 * its own thread, or on several threads if its concurrency is more than one. An observer
 * follows the work of a reflector, on the threads of the engine.
 */
@NullMarked
package dev.reflector.cache.handler;

import org.jspecify.annotations.NullMarked;
