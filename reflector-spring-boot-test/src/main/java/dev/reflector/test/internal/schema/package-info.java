/**
 * Schemas of types: which lists are sets or maps, which maps are atomic, which fields
 * there are. From the schema of a CRD or the name of a built-in type, this package makes
 * a {@code MergeSchema} for merging and a {@code ResourceSchema}. All values are
 * immutable, and any thread may read them. Internal: public only for other packages of
 * the test kit.
 */
@NullMarked
package dev.reflector.test.internal.schema;

import org.jspecify.annotations.NullMarked;
