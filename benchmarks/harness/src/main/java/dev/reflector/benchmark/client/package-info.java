/**
 * What runs in the process of a client: the same phases and the same measuring for each.
 */
@NullMarked
package dev.reflector.benchmark.client;

import org.jspecify.annotations.NullMarked;
