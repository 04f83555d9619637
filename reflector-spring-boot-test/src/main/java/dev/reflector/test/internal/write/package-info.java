/**
 * Creates, replaces, patches and deletes: content or a patch comes in and is checked as
 * by a real server, the object as it is kept now or an {@code ApiFailure} goes out.
 * Called for requests on event loops, and by tests on their threads. Internal: public
 * only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.write;

import org.jspecify.annotations.NullMarked;
