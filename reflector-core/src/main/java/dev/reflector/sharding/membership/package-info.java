/**
 * Decides with Leases which replica of an application owns which slot. Leases of the
 * replicas and settings come in; callbacks, and the answer whether this replica owns a
 * slot, go out. Started and stopped by the application. Requests run on the threads of
 * the store, waits on the timer, and callbacks on the given executor: those about one
 * slot one after the other, and a few slots at a time.
 */
@NullMarked
package dev.reflector.sharding.membership;

import org.jspecify.annotations.NullMarked;
