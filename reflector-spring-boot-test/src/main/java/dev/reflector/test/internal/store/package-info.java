/**
 * The data of the server. Stores writes, and returns objects, states of collections,
 * pages and the history of changes. One lock guards all data, and one counter numbers the
 * versions. Also decides which objects match a selector. Called by {@code write} and
 * {@code read} on event loops, and by tests on their own threads. Methods wait for
 * nothing except the lock. Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.store;

import org.jspecify.annotations.NullMarked;
