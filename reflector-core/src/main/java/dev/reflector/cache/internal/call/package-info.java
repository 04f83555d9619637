/**
 * Records which listener a thread is calling. The delivery of changes records each call
 * of a handler, and a handler that calls several listeners records each of these calls.
 * The warnings about slow listeners use these records. The package also limits warnings
 * to one per minute. The types of this package are public only so that other internal
 * packages can use them.
 */
@NullMarked
package dev.reflector.cache.internal.call;

import org.jspecify.annotations.NullMarked;
