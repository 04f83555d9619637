/**
 * The data: writes come in, objects, states of collections, pages and the history of
 * changes go out. One lock guards all of it, and one counter numbers the versions. Says
 * also which objects a selector means. Called by {@code write} and {@code read} on event
 * loops, and by tests on their threads; nothing waits for anything but the lock.
 * Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.store;

import org.jspecify.annotations.NullMarked;
