/**
 * Keys and certificates in PEM, as SSL bundles. Any thread may use it; it reads no files.
 * Public only because Java needs it.
 */
@NullMarked
package dev.reflector.client.internal.pem;

import org.jspecify.annotations.NullMarked;
