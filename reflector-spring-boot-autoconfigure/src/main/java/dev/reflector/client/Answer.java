package dev.reflector.client;

import reactor.core.publisher.Flux;

/**
 * The body of an answer that reports success.
 *
 * @param format what the server says that it is
 * @param bytes its bytes as they arrive
 */
record Answer(ObjectFormat format, Flux<byte[]> bytes) {

}
