/**
 * Writes whole objects or their metadata, as JSON or CBOR, depending on the header
 * {@code Accept} of a request. Also reads bodies of requests, and splits the bytes of a
 * stream into frames again. All packages that write answers call it, on any thread.
 * Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.format;

import org.jspecify.annotations.NullMarked;
