/**
 * Tests that every store of snapshots must pass. To test a store, write a class that
 * extends {@link dev.reflector.test.snapshot.SnapshotStoreCompatibilityKit} and opens the
 * store. JUnit then runs the tests of the kit against the store.
 */
@NullMarked
package dev.reflector.test.snapshot;

import org.jspecify.annotations.NullMarked;
