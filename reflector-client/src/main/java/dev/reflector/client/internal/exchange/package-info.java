/**
 * Sends requests, and returns the responses or exceptions. Adds headers and credentials,
 * and handles compression, formats and failures. The client's lister-watchers and the
 * {@code discovery} package call this package on any thread. Tokens and certificates are
 * read on a thread that may block. Internal: public only for other packages of this
 * module.
 */
@NullMarked
package dev.reflector.client.internal.exchange;

import org.jspecify.annotations.NullMarked;
