/**
 * The options of a server, as immutable values that the builder makes once. The packages
 * that answer requests read these values, on any thread. Internal: public only for other
 * packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.options;

import org.jspecify.annotations.NullMarked;
