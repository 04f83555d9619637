/**
 * What the rooms of the auto-configuration share: the exception for a wrong setup, and
 * checks of property values. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.autoconfigure.internal;

import org.jspecify.annotations.NullMarked;
