/**
 * What every store of snapshots has to do, as tests: a class that extends
 * {@link dev.reflector.test.snapshot.SnapshotStoreCompatibilityKit} opens its store, and
 * JUnit runs the tests of the kit against it.
 */
@NullMarked
package dev.reflector.test.snapshot;

import org.jspecify.annotations.NullMarked;
