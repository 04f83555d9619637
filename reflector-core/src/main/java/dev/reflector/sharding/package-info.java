/**
 * The vocabulary of sharding: the hash and the selectors of the API server, slots, who
 * should own a slot, and the question who owns it now. Values and functions without
 * threads, used by the engine, by sources and by the membership.
 */
@NullMarked
package dev.reflector.sharding;

import org.jspecify.annotations.NullMarked;
