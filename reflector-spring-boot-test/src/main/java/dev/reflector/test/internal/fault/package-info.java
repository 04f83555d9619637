/**
 * Plays faults: a fault replaces or changes the proper answer to a request. This package
 * also keeps the faults that have not been played yet. Tests create faults on their
 * threads, and {@code server} plays them on the event loop of the connection. Internal:
 * public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.fault;

import org.jspecify.annotations.NullMarked;
