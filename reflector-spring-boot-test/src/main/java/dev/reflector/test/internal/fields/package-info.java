/**
 * Sets of fields, as field ownership is kept in: paths and values come in, sets and the
 * form that {@code metadata.managedFields} writes them in (FieldsV1) go out. Knows no
 * schema and no object. Called by {@code schema}, {@code merge} and {@code write} on any
 * thread; a set is changed by its owner only. Internal: public only for other packages of
 * the test kit.
 */
@NullMarked
package dev.reflector.test.internal.fields;

import org.jspecify.annotations.NullMarked;
