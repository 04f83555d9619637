/**
 * The port through which a mirror is fed:
 * {@link dev.reflector.cache.source.ListerWatcher} lists and watches, and says what it
 * gets and what fails. The loop calls it on its own thread; answers may come on any
 * thread.
 */
@NullMarked
package dev.reflector.cache.source;

import org.jspecify.annotations.NullMarked;
