/**
 * Auto-configuration: one reflector and one lister bean for each annotated type.
 */
@NullMarked
package dev.reflector.autoconfigure;

import org.jspecify.annotations.NullMarked;
