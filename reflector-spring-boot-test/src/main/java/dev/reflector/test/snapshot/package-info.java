/**
 * Tests that every store of snapshots must pass. A class that extends
 * {@link dev.reflector.test.snapshot.SnapshotStoreCompatibilityKit} opens its store, and
 * JUnit runs the tests of the kit against that store.
 */
@NullMarked
package dev.reflector.test.snapshot;

import org.jspecify.annotations.NullMarked;
