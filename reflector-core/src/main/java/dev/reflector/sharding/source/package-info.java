/**
 * The source of a reflector that mirrors the share of one replica: requests the share
 * from the server, and drops objects of other shares. Called by the loop of the
 * reflector, on the threads of the source behind it.
 */
@NullMarked
package dev.reflector.sharding.source;

import org.jspecify.annotations.NullMarked;
