/**
 * {@link dev.reflector.cache.informer.SharedInformer} connects the parts of the engine:
 * source, loops, queue, mirror and delivery. The application or its beans start and stop
 * it, from any thread. It starts and ends the threads of the parts, and compares the
 * mirror with the server on request.
 */
@NullMarked
package dev.reflector.cache.informer;

import org.jspecify.annotations.NullMarked;
