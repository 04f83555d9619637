/**
 * Sends a request and reads its response: a request for a list or watch comes in, the
 * response or an exception goes out. Adds headers and credentials, handles compression,
 * formats and failures. Called by the client's lister-watchers and by {@code discovery},
 * on any thread; tokens and certificates are read on a thread that may block. Internal:
 * public only for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.exchange;

import org.jspecify.annotations.NullMarked;
