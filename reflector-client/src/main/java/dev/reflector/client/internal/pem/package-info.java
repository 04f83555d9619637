/**
 * Reads keys and certificates. In: PEM text. Out: SSL bundles. Reads no files. Called by
 * the {@code credentials} and {@code http} packages. Thread: any. Internal: public only
 * for other packages of this module.
 */
@NullMarked
package dev.reflector.client.internal.pem;

import org.jspecify.annotations.NullMarked;
