/**
 * Decides with Leases which replica of an application owns which slot. The input is the
 * Leases of the replicas and the settings. The output is callbacks and the ownership of
 * slots. Started and stopped by the application. Requests run on the threads of the
 * store, and timed tasks on the timer. Callbacks run on the given executor: one after the
 * other for each slot, and for a few slots at the same time.
 */
@NullMarked
package dev.reflector.sharding.membership;

import org.jspecify.annotations.NullMarked;
