/**
 * Finds out which types the server serves: returns the plural and the scope of a kind,
 * explains a 404, and waits for types that are not served yet. The client's
 * lister-watchers call this package on any thread. Internal: public only for other
 * packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.discovery;

import org.jspecify.annotations.NullMarked;
