/**
 * The interfaces that a store of snapshots implements for durable mirrors. A snapshot has
 * the objects that the listeners of a reflector have completed, and the versions up to
 * which they have completed all changes. Commits bring changed objects and cursors; a
 * start reads the stored ones. The engine calls the store from one thread at a time for
 * each reflector, and the calls block.
 */
@NullMarked
package dev.reflector.cache.snapshot;

import org.jspecify.annotations.NullMarked;
