/**
 * The types of sharding: the hash and the selectors of the API server, slots, the
 * assignment of slots to replicas, and their ownership. Values and functions without
 * threads, used by the engine, by sources and by the membership.
 */
@NullMarked
package dev.reflector.sharding;

import org.jspecify.annotations.NullMarked;
