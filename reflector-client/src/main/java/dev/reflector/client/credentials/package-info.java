/**
 * Where the API server is, and the credentials for it: kubeconfigs, service accounts and
 * credential plugins come in; URL, tokens and SSL bundles go out. Called by the
 * application, and by the {@code exchange} and {@code http} packages before each request.
 * Files are read and plugins run on threads that may block, again when they change.
 */
@NullMarked
package dev.reflector.client.credentials;

import org.jspecify.annotations.NullMarked;
