/**
 * What leader election and shard membership share: requests about Leases with a time
 * limit, and calls that come one after the other. Called under the locks of the two;
 * calls run on the threads of an executor.
 */
@NullMarked
package dev.reflector.internal.lease;

import org.jspecify.annotations.NullMarked;
