/**
 * Tests of pages that are made from the code of all modules.
 */
@NullMarked
package dev.reflector.docs;

import org.jspecify.annotations.NullMarked;
