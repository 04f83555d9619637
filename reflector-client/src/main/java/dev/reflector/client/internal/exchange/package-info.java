/**
 * Sends requests and reads the responses. In: a request. Out: the response or an
 * exception. Adds headers and credentials, and handles compression, formats and failures.
 * Called by the client's lister-watchers and by {@code discovery}. Thread: any; tokens
 * and certificates are read on a thread that may block. Internal: public only for other
 * packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.exchange;

import org.jspecify.annotations.NullMarked;
