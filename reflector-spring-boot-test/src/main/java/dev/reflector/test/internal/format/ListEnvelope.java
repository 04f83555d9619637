package dev.reflector.test.internal.format;

/**
 * What stands around the items of a list.
 *
 * @param opening what stands before them
 * @param separator what stands between them
 * @param closing what stands after them
 */
public record ListEnvelope(byte[] opening, byte[] separator, byte[] closing) {

}
