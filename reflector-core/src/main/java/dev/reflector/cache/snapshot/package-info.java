/**
 * The port for durable mirrors: what a store of snapshots has to offer. A snapshot is
 * what the listeners of a reflector have completed, and how far that goes. Commits with
 * the changed objects and the cursors come in; at a start, the stored ones go out. The
 * engine calls it, from one thread at a time for each reflector; it blocks.
 */
@NullMarked
package dev.reflector.cache.snapshot;

import org.jspecify.annotations.NullMarked;
