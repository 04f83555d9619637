/**
 * Finds the API server and its credentials. In: kubeconfigs, service accounts and
 * credential plugins. Out: URL, tokens and SSL bundles. Called by the application, and by
 * the {@code exchange} and {@code http} packages before each request. Files are read
 * again when they change. Thread: files are read and plugins are run on threads that may
 * block.
 */
@NullMarked
package dev.reflector.client.credentials;

import org.jspecify.annotations.NullMarked;
