/**
 * What the application implements to receive changes: handlers with their registration,
 * and observers of the work. Delivery calls handlers on one thread for each, or several
 * with more concurrency; the threads of the engine call observers.
 */
@NullMarked
package dev.reflector.cache.handler;

import org.jspecify.annotations.NullMarked;
