/**
 * Delivers changes from the mirror to the handlers: a bounded queue and a thread for each
 * handler. The writer of the mirror adds notifications, and the thread of the handler
 * takes them. Types of this package are public only so that other internal packages can
 * use them.
 */
@NullMarked
package dev.reflector.cache.internal.delivery;

import org.jspecify.annotations.NullMarked;
