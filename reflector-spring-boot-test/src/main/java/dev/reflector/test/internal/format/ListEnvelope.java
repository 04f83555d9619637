package dev.reflector.test.internal.format;

/**
 * The bytes of a list around its items.
 *
 * @param opening the bytes before the items
 * @param separator the bytes between two items
 * @param closing the bytes after the items
 */
public record ListEnvelope(byte[] opening, byte[] separator, byte[] closing) {

}
