/**
 * Helpers that leader election and shard membership share: the times of Leases, requests
 * about Leases with a time limit, and callbacks that run one after the other. Used under
 * the locks of both; the callbacks run on the threads of an executor.
 */
@NullMarked
package dev.reflector.internal.lease;

import org.jspecify.annotations.NullMarked;
