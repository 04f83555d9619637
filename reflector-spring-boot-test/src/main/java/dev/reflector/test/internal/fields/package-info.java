/**
 * Sets of fields, for the ownership of fields. Makes sets from paths and values, and
 * writes these sets in the form of {@code metadata.managedFields} (FieldsV1). Depends on
 * no schema and no object. Called by {@code schema}, {@code merge} and {@code write} on
 * any thread. Only the owner of a set changes it. Internal: public only for other
 * packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.fields;

import org.jspecify.annotations.NullMarked;
