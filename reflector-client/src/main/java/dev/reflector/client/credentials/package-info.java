/**
 * Where the API server is and who we are to it: kubeconfigs, service accounts, credential
 * plugins, tokens, keys and certificates. Files and plugins are read on a thread that may
 * block, and read again when they change.
 */
@NullMarked
package dev.reflector.client.credentials;

import org.jspecify.annotations.NullMarked;
