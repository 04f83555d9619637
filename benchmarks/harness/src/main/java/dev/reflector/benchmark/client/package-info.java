/**
 * The code that runs in the process of each client: the same phases and measurements for
 * all clients.
 */
@NullMarked
package dev.reflector.benchmark.client;

import org.jspecify.annotations.NullMarked;
