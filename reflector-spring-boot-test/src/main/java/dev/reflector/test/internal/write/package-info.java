/**
 * Creates, replaces, patches and deletes objects. Content and patches are checked as in a
 * real server. The result is the stored object, or an {@code ApiFailure}. Called on event
 * loops for requests of clients, and by tests on their own threads. Internal: public only
 * for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.write;

import org.jspecify.annotations.NullMarked;
