/**
 * What is known of types: which lists are sets or maps, which maps are atomic, which
 * fields there are. The schema of a CRD or the name of a built-in type comes in, a
 * {@code MergeSchema} to merge by and a {@code ResourceSchema} go out. Needs no object
 * and no request; everything in it is fixed once made, and read on any thread. Internal:
 * public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.schema;

import org.jspecify.annotations.NullMarked;
