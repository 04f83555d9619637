/**
 * Reads keys and certificates: creates SSL bundles from PEM text. Also recognizes a
 * secret in place of a path. Reads no files. The {@code credentials} and {@code http}
 * packages call this package on any thread. Internal: public only for other packages of
 * this module.
 */
@NullMarked
package dev.reflector.client.internal.pem;

import org.jspecify.annotations.NullMarked;
