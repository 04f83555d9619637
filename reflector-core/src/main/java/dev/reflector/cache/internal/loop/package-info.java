/**
 * The list/watch loop: it reads a source, decides by a table of states where to go, and
 * fills the queue. Sequential code on one thread at a time for each namespace; everything
 * from outside comes through its mailbox. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.cache.internal.loop;

import org.jspecify.annotations.NullMarked;
