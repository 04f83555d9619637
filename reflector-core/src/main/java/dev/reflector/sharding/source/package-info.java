/**
 * The source of a reflector that mirrors the share of one replica: requests the share
 * from the server, and drops objects of other shares. The loop of the reflector makes the
 * requests. Responses are filtered on the threads of the source that reads from the
 * server.
 */
@NullMarked
package dev.reflector.sharding.source;

import org.jspecify.annotations.NullMarked;
