/**
 * Classes that the packages of the auto-configuration share: the exception for a wrong
 * setup, checks of property values, and the host name. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.autoconfigure.internal;

import org.jspecify.annotations.NullMarked;
