/**
 * Finds the API server and makes its client: from properties, kubeconfigs, Docker Compose
 * or the service account. The client is made with the first reflector that needs it, on
 * the thread that starts the context. Public only because Java needs it.
 */
@NullMarked
package dev.reflector.autoconfigure.internal.connection;

import org.jspecify.annotations.NullMarked;
