/**
 * Makes objects of a type from JSON text: directly for most records, by Jackson for all
 * others, with what a type does not declare left out. Any thread may use it. Public only
 * because Java needs it.
 */
@NullMarked
package dev.reflector.client.internal.bind;

import org.jspecify.annotations.NullMarked;
