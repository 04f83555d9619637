/**
 * Classes that the packages of the auto-configuration share: the exception for a wrong
 * setup, checks of property values, and the host name. The classes are public only
 * because other packages of this library use them.
 */
@NullMarked
package dev.reflector.autoconfigure.internal;

import org.jspecify.annotations.NullMarked;
