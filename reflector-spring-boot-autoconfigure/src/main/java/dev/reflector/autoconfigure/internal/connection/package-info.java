/**
 * Finds the API server in properties, kubeconfigs, Docker Compose or the service account,
 * and makes its client. The client is made when the first reflector that needs it is
 * made, on the thread that starts the context. The classes are public only because other
 * packages of this library use them.
 */
@NullMarked
package dev.reflector.autoconfigure.internal.connection;

import org.jspecify.annotations.NullMarked;
