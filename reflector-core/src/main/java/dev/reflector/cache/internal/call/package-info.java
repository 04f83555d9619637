/**
 * Which listener a thread calls at present. The delivery of changes says so here, and
 * handlers that call several listeners name each; the warnings about slow listeners read
 * it. Also the limit of warnings to one per minute. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.cache.internal.call;

import org.jspecify.annotations.NullMarked;
