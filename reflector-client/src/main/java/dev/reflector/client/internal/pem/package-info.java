/**
 * Keys and certificates: PEM text comes in, SSL bundles go out. Called by the
 * {@code credentials} and {@code http} packages, on any thread; reads no files. Internal:
 * public only for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.pem;

import org.jspecify.annotations.NullMarked;
