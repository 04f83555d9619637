/**
 * The sources of objects. A {@link dev.reflector.cache.source.ListerWatcher} receives
 * list and watch requests, and returns pages, events and failures. The reflector's loop
 * calls the source on the loop's thread; responses may arrive on any thread.
 */
@NullMarked
package dev.reflector.cache.source;

import org.jspecify.annotations.NullMarked;
