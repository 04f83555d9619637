/**
 * Records which listener a thread is calling. The delivery of changes notes each call
 * here, and a handler that calls several listeners notes each of them. The warnings about
 * slow listeners read these notes. The package also limits warnings to one per minute.
 * The types of this package are public only so that other internal packages can use them.
 */
@NullMarked
package dev.reflector.cache.internal.call;

import org.jspecify.annotations.NullMarked;
