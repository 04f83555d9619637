/**
 * Assertions for AssertJ about the managers of an object's fields, and about writes. Only
 * this package of the test kit needs AssertJ.
 */
@NullMarked
package dev.reflector.test.assertj;

import org.jspecify.annotations.NullMarked;
