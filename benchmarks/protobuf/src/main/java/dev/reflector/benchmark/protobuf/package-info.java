/**
 * The load server with protobuf, written by the messages of the official client.
 */
@NullMarked
package dev.reflector.benchmark.protobuf;

import org.jspecify.annotations.NullMarked;
