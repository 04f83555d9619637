/**
 * Compares and merges objects field by field, and decides who owns which field: a live
 * object, a new or an applied one, a schema and the entries of
 * {@code metadata.managedFields} come in, an object, entries and conflicts go out. The
 * rules are those of structured-merge-diff and of the field managers of real servers.
 * Called by {@code write} on any thread; keeps nothing. Internal: public only for other
 * packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.merge;

import org.jspecify.annotations.NullMarked;
