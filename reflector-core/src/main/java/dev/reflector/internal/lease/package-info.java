/**
 * What the election of a leader and the membership of shards do alike: requests about
 * Leases that do not wait for ever, and calls that come one after the other. Called under
 * the locks of these two; calls run on the threads of an executor.
 */
@NullMarked
package dev.reflector.internal.lease;

import org.jspecify.annotations.NullMarked;
