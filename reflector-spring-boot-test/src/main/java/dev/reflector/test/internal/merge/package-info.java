/**
 * Compares and merges objects field by field, and decides which manager owns which field.
 * The input is the current object, a new or applied object, a schema and the entries of
 * {@code metadata.managedFields}. The result is the merged object with its new entries,
 * or the conflicts. The rules are the same as in structured-merge-diff and the field
 * managers of real servers. Called by {@code write} on any thread; has no state.
 * Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.merge;

import org.jspecify.annotations.NullMarked;
