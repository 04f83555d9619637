/**
 * Where the objects come from: a {@link dev.reflector.cache.source.ListerWatcher} takes
 * list and watch requests, and returns pages, events and failures. The loop calls it on
 * its own thread; answers may come on any thread.
 */
@NullMarked
package dev.reflector.cache.source;

import org.jspecify.annotations.NullMarked;
