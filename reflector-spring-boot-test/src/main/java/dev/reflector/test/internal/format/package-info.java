/**
 * JSON and CBOR, and whole objects or their metadata: the header {@code Accept} of a
 * request and trees come in, the way to show objects and their bytes go out. Also reads
 * bodies of requests, and splits the bytes of a stream into frames again. Called by all
 * rooms that write answers, on any thread. Internal: public only for other packages of
 * the test kit.
 */
@NullMarked
package dev.reflector.test.internal.format;

import org.jspecify.annotations.NullMarked;
