package dev.reflector.cache.informer;

import dev.reflector.cache.internal.snapshot.DurableMirror;
import dev.reflector.cache.internal.snapshot.SlotSnapshots;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots of an informer: one of its mirror, or one of each slot that it owns.
 *
 * @param <T> the type of the objects
 * @param whole the snapshot of the mirror, if there is one
 * @param slots the snapshots of slots, if there are some
 */
record Snapshots<T>(@Nullable DurableMirror<T> whole, @Nullable SlotSnapshots<T> slots) {

}
