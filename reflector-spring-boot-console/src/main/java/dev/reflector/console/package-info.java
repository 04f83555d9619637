/**
 * A web console of the reflectors of an application. What happens in a reflector comes in
 * through {@link dev.reflector.cache.informer.Instrumentation}, on the threads of the
 * reflector, its source and its handlers, and is noted with a bound; a separate thread
 * takes a sample of each reflector each second. Requests of the page read what was noted,
 * the mirrors themselves, and what the endpoint reports.
 */
@NullMarked
package dev.reflector.console;

import org.jspecify.annotations.NullMarked;
