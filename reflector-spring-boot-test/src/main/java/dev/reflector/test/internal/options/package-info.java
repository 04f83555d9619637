/**
 * What a server should be like: the description that a test has made comes in once,
 * values that never change go out. Read by the rooms that answer, on any thread.
 * Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.options;

import org.jspecify.annotations.NullMarked;
