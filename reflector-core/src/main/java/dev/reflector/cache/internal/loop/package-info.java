/**
 * The list/watch loop, which reads a source, chooses its next state from a table, and
 * fills the queue. Each loop runs on one thread at a time, and receives everything from
 * outside through its mailbox. Types of this package are public only so that other
 * internal packages can use them.
 */
@NullMarked
package dev.reflector.cache.internal.loop;

import org.jspecify.annotations.NullMarked;
