/**
 * Finds out which types the server serves. In: a kind. Out: its plural and scope.
 * Explains a 404, and waits for types that are not served yet. Called by the client's
 * lister-watchers. Thread: any. Internal: public only for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.discovery;

import org.jspecify.annotations.NullMarked;
