/**
 * {@link dev.reflector.cache.informer.SharedInformer} puts the engine together: source,
 * loops, queue, mirror and delivery. It makes their threads, starts and stops them, and
 * compares the mirror with the server when asked to.
 */
@NullMarked
package dev.reflector.cache.informer;

import org.jspecify.annotations.NullMarked;
