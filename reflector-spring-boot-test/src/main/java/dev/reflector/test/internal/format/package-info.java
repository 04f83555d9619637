/**
 * Writes whole objects or their metadata, as JSON or CBOR, depending on the header
 * {@code Accept} of a request. Also reads the bodies of requests, and splits the bytes of
 * a stream into frames. All packages that write answers call this package, on any thread.
 * Internal: public only for other packages of the test kit.
 */
@NullMarked
package dev.reflector.test.internal.format;

import org.jspecify.annotations.NullMarked;
