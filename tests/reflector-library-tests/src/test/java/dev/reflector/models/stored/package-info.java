/**
 * Tests of what is stored and restored of objects of many types.
 */
@NullMarked
package dev.reflector.models.stored;

import org.jspecify.annotations.NullMarked;
