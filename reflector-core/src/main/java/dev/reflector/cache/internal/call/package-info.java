/**
 * Records which listener each thread calls at present. The delivery of changes and
 * handlers that call several listeners write it, and the warnings about slow listeners
 * read it. Also limits warnings to one per minute. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.cache.internal.call;

import org.jspecify.annotations.NullMarked;
