/**
 * The options of a server, as immutable values that the builder makes once. The packages
 * that answer read them, on any thread. Internal: public only for other packages of the
 * test kit.
 */
@NullMarked
package dev.reflector.test.internal.options;

import org.jspecify.annotations.NullMarked;
