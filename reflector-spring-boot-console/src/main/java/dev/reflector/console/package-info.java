/**
 * A web console for the reflectors of an application. It receives the actions of
 * reflectors through {@link dev.reflector.cache.informer.Instrumentation}, on the threads
 * of the reflectors, their sources and their handlers, and records a limited number of
 * these actions. A separate thread takes a sample of each reflector each second. Requests
 * of the page read these records, the mirrors, and the reports of the endpoint.
 */
@NullMarked
package dev.reflector.console;

import org.jspecify.annotations.NullMarked;
