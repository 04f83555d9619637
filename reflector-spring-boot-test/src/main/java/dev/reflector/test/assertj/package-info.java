/**
 * Assertions for AssertJ: who manages the fields of an object, and whether anything was
 * written. Needs AssertJ, and nothing else of the test kit needs this.
 */
@NullMarked
package dev.reflector.test.assertj;

import org.jspecify.annotations.NullMarked;
