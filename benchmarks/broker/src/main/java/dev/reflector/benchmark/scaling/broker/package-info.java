/**
 * For replicas that mirror a topic: the broker, and the source that reads from it.
 */
@NullMarked
package dev.reflector.benchmark.scaling.broker;

import org.jspecify.annotations.NullMarked;
