/**
 * Says which replica of an application owns which part of a collection: the hash and the
 * selectors of the API server, slots, who should own a slot, and who owns it now. Leases
 * of the replicas, settings and callbacks come in; the answer whether this replica owns a
 * slot goes out. Started and stopped by the application. Requests run on the threads of
 * the store, waits on the timer, and callbacks, one after the other, on the given
 * executor.
 */
@NullMarked
package dev.reflector.sharding;

import org.jspecify.annotations.NullMarked;
