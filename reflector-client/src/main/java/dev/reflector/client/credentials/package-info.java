/**
 * Finds the API server and the credentials for it. Kubeconfigs, service accounts and
 * credential plugins come in; URL, tokens and SSL bundles go out. Called by the
 * application, and by the {@code exchange} and {@code http} packages before each request.
 * Files are read again when they change. Reading files and running plugins happens on
 * threads that may block.
 */
@NullMarked
package dev.reflector.client.credentials;

import org.jspecify.annotations.NullMarked;
