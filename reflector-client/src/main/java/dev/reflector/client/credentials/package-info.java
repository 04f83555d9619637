/**
 * Finds the API server and its credentials. Creates a URL, tokens and SSL bundles from a
 * kubeconfig, a service account or a credential plugin. The application calls this
 * package, and the {@code exchange} and {@code http} packages call it before each
 * request. Files are read again when they change. Files are read and plugins are run on
 * threads that may block.
 */
@NullMarked
package dev.reflector.client.credentials;

import org.jspecify.annotations.NullMarked;
