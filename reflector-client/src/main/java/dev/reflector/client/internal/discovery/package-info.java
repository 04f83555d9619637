/**
 * Finds out which types the server serves: a kind comes in, its plural and scope go out.
 * Explains a 404, and waits for types that are not served yet. Called by the client's
 * lister-watchers, on any thread. Internal: public only for other packages of this
 * module.
 */
@NullMarked
package dev.reflector.client.internal.discovery;

import org.jspecify.annotations.NullMarked;
