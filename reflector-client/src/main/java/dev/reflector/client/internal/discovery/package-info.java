/**
 * Asks the server which plural and scope a type has, and waits for a type that is not
 * served yet. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.client.internal.discovery;

import org.jspecify.annotations.NullMarked;
