/**
 * The interfaces that a store of snapshots implements for durable mirrors. A snapshot
 * contains the objects as of the last changes that all listeners of a reflector have
 * completed, and the versions of these changes. A commit stores changed objects and
 * cursors. A start of the reflector reads them. The engine calls the store from one
 * thread at a time for each reflector, and the calls block.
 */
@NullMarked
package dev.reflector.cache.snapshot;

import org.jspecify.annotations.NullMarked;
